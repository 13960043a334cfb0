"""A server that begins as a tool server does and then does something wrong; its address names what."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.vendors.running import loop_in_a_thread

VERSION = "2025-06-18"
FLOOD_BYTES = 50 * 1024 * 1024

Message = dict[str, Any]
Fault = Callable[[web.Request, Message], Awaitable[web.StreamResponse]]


def result(message: Message, **facts: Any) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": facts})


def initialized(message: Message, version: str = VERSION) -> web.Response:
    about = {"name": "hostile", "version": "1"}
    return result(message, protocolVersion=version, capabilities={"tools": {}}, serverInfo=about)


async def stream(request: web.Request, *pieces: bytes) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for piece in pieces:
        await response.write(piece)
    return response


def event(message: Message) -> bytes:
    return f"event: message\ndata: {json.dumps(message)}\n\n".encode()


async def plain_status(request: web.Request, message: Message) -> web.StreamResponse:
    return web.Response(status=int(request.match_info["fault"][-3:]), text="go away")


async def redirect(request: web.Request, message: Message) -> web.StreamResponse:
    status = int(request.match_info["fault"][-3:])
    return web.Response(status=status, headers={"Location": request.query.get("to", "/elsewhere")})


async def web_page(request: web.Request, message: Message) -> web.StreamResponse:
    return web.Response(text="<h1>Welcome</h1>", content_type="text/html")


async def no_json(request: web.Request, message: Message) -> web.StreamResponse:
    return web.Response(text="{kelp", content_type="application/json")


async def deep_json(request: web.Request, message: Message) -> web.StreamResponse:
    return web.Response(text="[" * 100_000, content_type="application/json")


async def no_events(request: web.Request, message: Message) -> web.StreamResponse:
    await stream(request, b"event: message\ndata: {kelp\n\n")
    return await silence(request, message)


async def early_end(request: web.Request, message: Message) -> web.StreamResponse:
    return await stream(request, b"id: 1\ndata:\n\n")


async def cut(request: web.Request, message: Message) -> web.StreamResponse:
    response = await stream(request, b'event: message\ndata: {"jsonrpc"')
    assert request.transport is not None
    request.transport.abort()
    return response


async def silence(request: web.Request, message: Message) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def trickle(request: web.Request, message: Message) -> web.StreamResponse:
    response = await stream(request)
    while True:
        await response.write(b": still here\n\n")
        await asyncio.sleep(0.05)


async def flood(request: web.Request, message: Message) -> web.StreamResponse:
    text = json.dumps({"content": [{"type": "text", "text": "x" * FLOOD_BYTES}]})
    return web.Response(
        text=f'{{"jsonrpc":"2.0","id":{message["id"]},"result":{text}}}', content_type="application/json"
    )


async def endless_line(request: web.Request, message: Message) -> web.StreamResponse:
    response = await stream(request, b"data: ")
    while True:
        await response.write(b"x" * 65_536)


async def packed(request: web.Request, message: Message) -> web.StreamResponse:
    body = gzip.compress(b" " * FLOOD_BYTES)
    return web.Response(body=body, headers={"Content-Type": "application/json", "Content-Encoding": "gzip"})


async def other_id(request: web.Request, message: Message) -> web.StreamResponse:
    return result({"id": 4711}, content=[])


async def other_shape(request: web.Request, message: Message) -> web.StreamResponse:
    return result(message, content="kelp", tools="kelp")


async def protocol_error(request: web.Request, message: Message) -> web.StreamResponse:
    error = {"code": -32603, "message": "no kelp today, Bearer mcp-kelp-4711"}
    return web.json_response({"jsonrpc": "2.0", "id": message["id"], "error": error})


async def chatter(request: web.Request, message: Message) -> web.StreamResponse:
    """Notifications that are none, a question of its own, and then the answer."""
    nonsense = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "x" * 1000}}
    question = {
        "jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage",
        "params": {"messages": [], "maxTokens": 1},
    }  # fmt: skip
    answer = {
        "jsonrpc": "2.0", "id": message["id"],
        "result": {"content": [{"type": "text", "text": "after all"}], "tools": []},
    }  # fmt: skip
    return await stream(request, event(nonsense), event(question), event(answer))


FAULTS: dict[str, Fault] = {
    **{f"status-{number}": plain_status for number in (400, 401, 403, 404, 405, 418, 429, 500, 503)},
    **{f"redirect-{number}": redirect for number in (301, 302, 303, 307, 308)},
    "web-page": web_page,
    "no-json": no_json,
    "deep-json": deep_json,
    "no-events": no_events,
    "early-end": early_end,
    "cut": cut,
    "silence": silence,
    "trickle": trickle,
    "flood": flood,
    "endless-line": endless_line,
    "packed": packed,
    "other-id": other_id,
    "other-shape": other_shape,
    "protocol-error": protocol_error,
    "chatter": chatter,
}


@dataclass
class Hostile:
    """`/FAULT` does it when it is asked for a tool, or for the list; `/first/FAULT` when it is first asked."""

    port: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def address(self, fault: str) -> str:
        return f"http://127.0.0.1:{self.port}/{fault}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.method, request.path))
        if request.method != "POST":
            return web.Response(status=405)
        message = await request.json()
        self.messages.append(message)
        if "id" not in message or "method" not in message:
            return web.Response(status=202)
        if message["method"] == "initialize" and not request.path.startswith("/first/"):
            return initialized(message)
        return await FAULTS[request.match_info["fault"]](request, message)


@contextlib.contextmanager
def running_hostile() -> Iterator[Hostile]:
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    hostile = Hostile()
    application = web.Application()
    application.router.add_route("*", "/{fault}", hostile.answer)
    application.router.add_route("*", "/first/{fault}", hostile.answer)
    with loop_in_a_thread() as loop:

        async def start() -> web.AppRunner:
            runner = web.AppRunner(
                application, handler_cancellation=True, shutdown_timeout=0.1, access_log=None
            )
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            hostile.port = runner.addresses[0][1]
            return runner

        runner = asyncio.run_coroutine_threadsafe(start(), loop).result(30)
        try:
            yield hostile
        finally:
            asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(30)
