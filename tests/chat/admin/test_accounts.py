"""The admin of accounts: a lost second factor is taken away, on the record; secrets are never shown."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client

from sessions_app.models import AuditEntry, User

LIST = "/admin/mfa/authenticator/"


@pytest.fixture
def factor(db: None) -> Authenticator:
    found: Authenticator = TOTP.activate(User.objects.create_user("mia"), "GEZDGNBVGY3TQOJQ").instance
    return found


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("ada"))
    return client


def test_a_lost_second_factor_is_removed_on_the_record(administrator: Client, factor: Authenticator) -> None:
    administrator.post(f"{LIST}{factor.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.exists()
    entry = AuditEntry.objects.get(action="second_factor_removed")
    assert (entry.told["about"], entry.trigger) == ("mia: authenticator", "admin")


def test_its_secret_is_nowhere(administrator: Client, factor: Authenticator) -> None:
    for path in (LIST, f"{LIST}{factor.pk}/change/"):
        page = administrator.get(path).content.decode()
        assert "mia" in page
        assert "secret" not in page
        assert factor.data["secret"] not in page


def test_it_cannot_be_added_or_changed(administrator: Client, factor: Authenticator) -> None:
    assert administrator.get(f"{LIST}add/").status_code == 403
    assert administrator.post(f"{LIST}{factor.pk}/change/", {"type": "webauthn"}).status_code == 403


def test_an_operator_without_that_permission_sees_none_of_it(client: Client, factor: Authenticator) -> None:
    client.force_login(User.objects.create_user("olga", is_staff=True))
    assert client.get(LIST).status_code == 403
    assert client.post(f"{LIST}{factor.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Authenticator.objects.exists()


@pytest.mark.parametrize(
    "path", ["socialaccount/socialapp", "socialaccount/socialtoken", "usersessions/usersession"]
)
def test_what_nobody_needs_there_is_not_there(administrator: Client, path: str) -> None:
    assert administrator.get(f"/admin/{path}/").status_code == 404
