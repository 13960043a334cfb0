"""One client for each event loop, which takes nothing from the environment and is closed on request."""

from __future__ import annotations

import asyncio

import pytest

from chat.events import Finished
from chat.providers.http import client, close_client
from chat.providers.registry import close_providers
from tests.chat.providers.hearing import hear, provider_for
from tests.vendors.running import RunningVendor

pytestmark = pytest.mark.usefixtures("client_closed")


async def test_a_loop_has_one_client() -> None:
    assert client() is client()


async def test_a_closed_client_is_followed_by_another(vendor: RunningVendor) -> None:
    for _ in range(2):
        assert isinstance((await hear(provider_for(vendor, "openai"))).end, Finished)
        used = client()
        await close_providers()
        assert used.closed


def test_another_loop_has_another_client(vendor: RunningVendor) -> None:
    async def ask() -> None:
        assert isinstance((await hear(provider_for(vendor, "openai"))).end, Finished)

    with asyncio.Runner() as first, asyncio.Runner() as second:
        for runner in (first, second, first):
            runner.run(ask())
        first.run(close_client())
        second.run(close_client())
    assert len({exchange.peer for exchange in vendor.exchanges}) == 2


async def test_proxies_of_the_environment_are_not_followed(
    vendor: RunningVendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert isinstance((await hear(provider_for(vendor, "openai"))).end, Finished)
