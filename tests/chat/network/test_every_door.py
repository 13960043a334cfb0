"""The whole corpus, walked through both kinds of address that people enter: refused, and nobody is asked."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from chat.catalogue import CATALOGUE
from chat.events import Failed
from chat.tool_servers.client import call
from chat.tool_servers.server import Server
from sessions_app.errors import Invalid
from sessions_app.models import Agent, AuditEntry, ToolServer, User, Workspace
from sessions_app.services.agents import create_agent
from sessions_app.services.tool_servers import create_tool_server
from tests.chat.network.allowing import allowing
from tests.chat.network.corpus import REFUSED, TRICKS
from tests.chat.network.test_connector import NAME, install
from tests.chat.providers.hearing import hear, provider_for
from tests.chat.recovery.cast import alice, olga

__all__ = ["alice", "olga"]

REAL_GETADDRINFO: Any = socket.getaddrinfo
HOST = re.compile(r"^(http://(?:\[[^]]*\]|[^/:]+))(?::\d+)?")
REFUSALS = ("private network", "never asked")


class Door:
    """A listening socket that counts who comes in, on every address of this machine."""

    def __init__(self) -> None:
        self.port, self.visits = 0, 0

    def visit(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        writer.close()


@pytest.fixture
async def door(client_closed: None) -> AsyncIterator[Door]:
    door = Door()
    async with contextlib.AsyncExitStack() as stack:
        for host in ("0.0.0.0", "::1"):
            with contextlib.suppress(OSError):  # a machine without IPv6
                server = await stack.enter_async_context(
                    await asyncio.start_server(door.visit, host, door.port)
                )
                door.port = server.sockets[0].getsockname()[1]
        yield door


async def ask_provider(address: str) -> str:
    end = (await hear(provider_for(address, "openai"))).end
    assert isinstance(end, Failed)
    return end.sentence


async def ask_tool_server(address: str) -> str:
    answer = await call(Server(address, "mcp-kelp-4711"), "act", {})
    assert answer.is_error
    return answer.output


def add_agent(workspace: Workspace, by: User, address: str) -> None:
    create_agent(
        workspace, by=by, catalogue=CATALOGUE, name="A", handle="a", provider="openai_compatible", model="m",
        address=address,
    )  # fmt: skip


def add_tool_server(workspace: Workspace, by: User, address: str) -> None:
    create_tool_server(workspace, by=by, catalogue=CATALOGUE, name="a", address=address)


ASK = pytest.mark.parametrize("ask", [ask_provider, ask_tool_server])


@pytest.mark.parametrize("add", [add_agent, add_tool_server])
def test_nothing_of_the_corpus_can_be_entered(
    alice: User, add: Callable[[Workspace, User, str], None]
) -> None:
    workspace, entries = Workspace.objects.get(slug="demo"), AuditEntry.objects.count()
    with allowing():
        for address in (*REFUSED, *TRICKS):
            with pytest.raises(Invalid, match="othing was changed"):
                add(workspace, alice, address)
    assert (Agent.objects.filter(handle="a").count(), ToolServer.objects.count()) == (0, 0)
    assert AuditEntry.objects.count() == entries


@ASK
async def test_nothing_of_the_corpus_is_asked_even_where_it_is_stored(
    door: Door, monkeypatch: pytest.MonkeyPatch, ask: Any
) -> None:
    """Names all stand for this machine, as whoever owns a name can say."""

    def here(host: Any, port: Any, *words: Any, **more: Any) -> Any:
        return REAL_GETADDRINFO("127.0.0.1", port, *words, **more)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    told: dict[str, str] = {}
    with allowing():
        for address in REFUSED:
            told[address] = await ask(HOST.sub(rf"\g<1>:{door.port}", address))
    assert door.visits == 0
    assert [address for address, says in told.items() if not any(word in says for word in REFUSALS)] == []


@ASK
async def test_the_door_counts_where_it_may_be_asked(door: Door, ask: Any) -> None:
    with allowing("localhost"):
        await ask(f"http://127.0.0.1:{door.port}/")
    assert door.visits > 0


@ASK
@pytest.mark.parametrize(
    "answer",
    [
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["2606:4700::1111", "::1"],
        ["8.8.8.8", "::ffff:127.0.0.1"],
        ["169.254.169.254"],
    ],
)
async def test_one_private_address_among_public_ones_refuses_the_name(
    door: Door, monkeypatch: pytest.MonkeyPatch, ask: Any, answer: list[str]
) -> None:
    install(monkeypatch, answer)
    with allowing():
        says = await ask(f"http://{NAME}:{door.port}/")
    assert any(word in says for word in REFUSALS)
    assert door.visits == 0


async def test_a_name_that_turns_private_between_two_requests_is_refused_then(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first address may be asked and hangs up; the second is not asked."""
    names = install(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    with allowing("127.0.0.1"):
        first, second = [await ask_tool_server(f"http://{NAME}:{door.port}/") for _ in range(2)]
    assert "private network" not in first
    assert "private network" in second
    assert (names.asked, door.visits) == (2, 1)
