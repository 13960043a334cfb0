"""A page of another site, at a real server, with a visitor's login: it opens no socket and changes nothing."""

from __future__ import annotations

from http.client import HTTPConnection

import aiohttp
import pytest

from chat.wire import NOT_SIGNED_IN, SUBPROTOCOL
from tests.browser.site import Site

LOGIN = """
import django; django.setup()
from sessions_app.models import User
from tests.crash.populate import login_of
print(login_of(User.objects.get(username="alice")))
"""
FORMS = ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x")


async def closed_with(site: Site, **headers: str) -> int:
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(f"{site.url}/ws/", protocols=[SUBPROTOCOL], headers=headers) as connection,
    ):
        await connection.receive()
        return connection.close_code or 0


async def test_a_page_of_the_site_opens_a_socket(served: Site) -> None:
    assert await closed_with(served, Origin=served.url) == NOT_SIGNED_IN


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://localhost.evil.example",
        "http://evil.example/localhost",
        "null",
        "file://",
    ],
)
async def test_a_page_of_another_site_opens_none(served: Site, origin: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await closed_with(served, Origin=origin)
    assert refused.value.status == 403


async def test_without_an_origin_no_socket_is_opened(served: Site) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await closed_with(served)
    assert refused.value.status == 403


@pytest.fixture(scope="module")
def cookie(served: Site) -> str:
    served.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    return f"sessionid={served.run('-c', LOGIN).strip()}"


def asked(site: Site, method: str, path: str, **headers: str) -> int:
    connection = HTTPConnection("localhost", site.port, timeout=60)
    connection.request(method, path, "{}" if method == "POST" else None, headers)
    with connection.getresponse() as response:
        status = response.status
    connection.close()
    return status


@pytest.mark.parametrize("kind", ["application/json", *FORMS])
@pytest.mark.parametrize("act", ["messages", "resets", "restores", "undos"])
def test_the_api_takes_no_login_without_the_pages_token(
    served: Site, cookie: str, act: str, kind: str
) -> None:
    path = f"/api/v1/conversations/team:general/{act}"
    assert asked(served, "GET", "/api/v1/me", Cookie=cookie) == 200
    headers = {"Cookie": cookie, "Content-Type": kind, "Origin": "https://evil.example"}
    assert asked(served, "POST", path, **headers) in (400, 403)
