"""What is refused when a connection is made: every address behind a name, and every spelling of one."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from yarl import URL

from chat.events import Failed, Finished
from chat.network.connector import HostRefused, VettedConnector
from chat.network.spelling import spelled_address
from tests.chat.network.allowing import allowing
from tests.chat.network.corpus import REFUSED
from tests.chat.providers.hearing import hear, provider_for
from tests.vendors.running import RunningVendor

NAME = "vendor.example"


@pytest_asyncio.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(connector=VettedConnector()) as made:
        yield made


class NameServer:
    """Answers for one name, from a list; what is asked of it is kept. Everything else is numbers."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def getaddrinfo(self, host: str, port: int, *words: Any, **more: Any) -> list[Any]:
        if host != NAME:
            return list(REAL_GETADDRINFO(host, port, *words, **more))
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [entry for address in answer for entry in _numeric(address, port)]


REAL_GETADDRINFO: Any = socket.getaddrinfo


def _numeric(address: str, port: int) -> Any:
    return REAL_GETADDRINFO(address, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)


def install(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> NameServer:
    server = NameServer(*answers)
    monkeypatch.setattr(socket, "getaddrinfo", server.getaddrinfo)
    return server


@pytest.mark.parametrize("url", [url for url in REFUSED if spelled_address(URL(url).host or "")])
async def test_no_spelling_of_a_private_address_is_connected_to(
    url: str, client: aiohttp.ClientSession
) -> None:
    with allowing(), pytest.raises(aiohttp.ClientError) as refusal:
        await client.get(URL(url), allow_redirects=False)
    assert isinstance(refusal.value, HostRefused)


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["::1"],
        ["8.8.8.8", "10.0.0.1"],
        ["2606:4700::1111", "::ffff:192.168.0.1"],
        ["8.8.8.8", "2002:7f00:1::"],
        ["169.254.169.254"],
    ],
)
async def test_one_private_address_behind_a_name_refuses_the_name(
    answer: list[str], client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = install(monkeypatch, answer)
    with allowing(), pytest.raises(HostRefused, match=NAME):
        await client.get(f"http://{NAME}/")
    assert server.asked == 1


async def test_a_name_is_asked_once_and_the_connection_goes_to_what_was_vetted(
    vendor: RunningVendor, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = install(monkeypatch, ["127.0.0.1"], ["192.0.2.1"])
    with allowing("127.0.0.1"):
        async with client.get(f"http://{NAME}:{vendor.port}/nothing") as answer:
            assert answer.status in {404, 405}
    assert server.asked == 1


async def test_a_name_that_is_allowed_may_stand_for_a_private_address(
    vendor: RunningVendor, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, ["127.0.0.1"])
    with allowing(NAME):
        async with client.get(f"http://{NAME}:{vendor.port}/nothing") as answer:
            assert answer.status in {404, 405}


@pytest.mark.usefixtures("client_closed")
@pytest.mark.parametrize("name", ["openai", "anthropic"])
async def test_an_agent_says_what_its_operator_can_do(vendor: RunningVendor, name: str) -> None:
    with allowing():
        end = (await hear(provider_for(vendor, name))).end
    assert isinstance(end, Failed)
    assert "HOLDFAST_ALLOW_PRIVATE_PROVIDERS=127.0.0.1" in end.sentence
    assert not vendor.exchanges
    with allowing("127.0.0.1"):
        assert isinstance((await hear(provider_for(vendor, name))).end, Finished)
