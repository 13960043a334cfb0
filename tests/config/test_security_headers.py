"""Every address of the site, those of the admin included, answers with the same protective headers."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from sessions_app.models import User
from tests.chat.recovery.cast import olga, operator

__all__ = ["olga", "operator"]

EXAMPLES = {"uuid": str(uuid.UUID(int=1)), "slug": "kelp", "int": "1", "path": "1", "str": "1"}
PARAMETER = re.compile(r"<(?:(\w+):)?\w+>")
EXPECTED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def addresses(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = str(pattern.pattern)
        if "(?P" in route:  # the admin's lists of an app, and its answer to everything else
            route = "nothing/"
        path = before + PARAMETER.sub(lambda found: EXAMPLES[found[1] or "str"], route)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path)
        else:
            yield path


ADDRESSES = sorted(set(addresses(get_resolver().url_patterns)))


def has_the_headers(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code != 500, address
    for name, value in EXPECTED.items():
        assert answer.headers.get(name) == value, (address, name)
    assert "camera=()" in answer.headers["Permissions-Policy"], address
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, address
    assert "frame-ancestors 'none'" in policy, address
    assert "unsafe" not in policy, address


def test_the_walk_reaches_the_pages_and_the_admin() -> None:
    assert {"/", "/login/", "/metrics", "/admin/", "/admin/sessions_app/agent/"} <= set(ADDRESSES)
    assert len(ADDRESSES) > 50


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_stranger_is_answered_with_every_header(client: Client, address: str) -> None:
    has_the_headers(client, address)


def test_an_operator_is_answered_with_every_header_everywhere(operator: Client, olga: User) -> None:
    for address in ADDRESSES:
        has_the_headers(operator, address)
        operator.force_login(olga)  # one of the addresses logs out
