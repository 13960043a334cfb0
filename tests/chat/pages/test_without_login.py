"""Every page that names nothing of a team, asked by somebody who is not logged in: they are sent to log in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

pytestmark = pytest.mark.django_db

# What is for those who are not logged in, and what says nothing but how the server is.
OPEN = ("login/", "logout/", "sign-up/", "password/", "healthz", "readyz", "metrics", "account/email/sent/")


def pages(patterns: Any, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from pages(pattern.url_patterns, path)
        elif "<" not in path:
            yield path


@pytest.mark.parametrize(
    "path",
    [path for path in pages(get_resolver("chat.pages.urls").url_patterns) if not path.startswith(OPEN)],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_page_is_shown_only_after_a_login(client: Client, path: str, method: str) -> None:
    response = getattr(client, method)(f"/{path}", follow=True)
    if response.status_code not in (401, 405):
        assert response.redirect_chain
        assert response.redirect_chain[-1][0].startswith(reverse("account_login"))
