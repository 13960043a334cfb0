"""F13: clients that never read cost the server a bounded amount of memory, and others nothing."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import aiohttp
import pytest
from aiohttp.connector import AddrInfoType

from tests.crash.checker import problems
from tests.crash.conftest import Watch, eventually
from tests.crash.observer import SUBPROTOCOL
from tests.crash.sites import Server, Site
from tests.figures import PrintFigure

CLIENTS = 100
REPLIES = 9
QUESTION = "tokens 100000 at 0/s"
# 100 windows of 256 KiB, and several times that for what lies in between. Without a window it is 600 MB and more:
# of the 10 MB that each is owed, the kernel itself keeps the first few.
MOST_GROWTH_MB = 150


def memory_mb(server: Server) -> float:
    pages = Path(f"/proc/{server.process.pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096 / 1024**2


@pytest.mark.fault(f"F13 {CLIENTS} clients that never read")
async def test_clients_that_never_read_cost_little(
    site: Site, watch: Watch, print_figure: PrintFigure
) -> None:
    server = await site.restart()
    reader = watch()
    await reader.post(QUESTION)
    await reader.until_sealed()
    before = memory_mb(server)
    async with contextlib.AsyncExitStack() as stack:
        silent = [
            await never_reading(site, stack, site.cookies[1 + number % 20]) for number in range(CLIENTS)
        ]
        await eventually(lambda: all_are_in(server, len(silent) + 1), what="they are all in")
        for _ in range(REPLIES - 1):
            await reader.post(QUESTION)
        await reader.until_sealed(REPLIES)
        growth = memory_mb(server) - before
    print_figure(
        f"F13: {CLIENTS} clients that never read, {REPLIES} replies of 100,000 tokens: {growth:+.0f} MB"
    )
    assert growth < MOST_GROWTH_MB
    assert problems(site, [reader]) == []


async def all_are_in(server: Server, sockets: int) -> bool:
    async with aiohttp.ClientSession() as client, client.get(f"{server.address}/metrics") as answer:
        return f"holdfast_sockets {sockets}.0" in await answer.text()


async def never_reading(
    site: Site, stack: contextlib.AsyncExitStack, cookie: str
) -> aiohttp.ClientWebSocketResponse:
    """With a small buffer in the kernel: what the server sends stays with the server."""
    connector = aiohttp.TCPConnector(socket_factory=small_socket)
    client = await stack.enter_async_context(
        aiohttp.ClientSession(cookies={"sessionid": cookie}, connector=connector)
    )
    address = f"http://127.0.0.1:{site.port}"
    connection = await client.ws_connect(f"{address}/ws/", protocols=[SUBPROTOCOL], origin=address)
    await connection.send_json(
        {"type": "subscribe", "id": "1", "session": site.places[0].session, "after": 0}
    )
    transport = connection._writer.transport
    assert transport is not None
    transport.pause_reading()
    stack.callback(transport.abort)
    return connection


def small_socket(address: AddrInfoType) -> socket.socket:
    made = socket.socket(*address[:3])
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return made
