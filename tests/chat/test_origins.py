from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from chat.origins import address_of, origin_of
from sessions_app.models import Trigger


def test_it_tells_the_door_the_address_and_the_client(rf: RequestFactory) -> None:
    origin = origin_of(rf.get("/", headers={"User-Agent": "x" * 500}), Trigger.ADMIN)
    assert (origin.trigger, origin.address, origin.client) == ("admin", "127.0.0.1", "x" * 200)


def test_a_header_that_nobody_configured_is_not_believed(rf: RequestFactory) -> None:
    assert address_of(rf.get("/", headers={"X-Real-IP": "192.0.2.1"})) == "127.0.0.1"


@pytest.mark.parametrize(
    ("told", "believed"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("10.0.0.1, 2001:db8::1", "2001:db8::1"),
        ("192.0.2.1, nonsense", "127.0.0.1"),
        ("<script>", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_behind_a_proxy_its_last_address_counts(
    rf: RequestFactory, settings: Settings, told: str, believed: str
) -> None:
    settings.CLIENT_ADDRESS_HEADER = "X-Real-IP"
    assert address_of(rf.get("/", headers={"X-Real-IP": told})) == believed
