"""Emits streams of stamped tokens in the words of chat completions: python -m bench.live.emitter

Each token is `<number>:<microseconds of the monotonic clock>` and a space. It is written by hand, without an HTTP
library, because it shares two cores with what it measures.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict

from bench.live.plan import Plan

TICK_SECONDS = 0.001
# Until then what the beginning of a turn sets off is over.
SETTLE_SECONDS = 1.0
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
EVENT = (
    'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1750000000,"model":"bench",'
    '"system_fingerprint":"fp_1","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]}\n\n'
)
TOKEN = EVENT % ('{"content":"%d:%d "}', "null")
CALL = EVENT % (
    '{"tool_calls":[{"index":0,"id":"call_%d","type":"function",'
    '"function":{"name":"calculator","arguments":"{\\"expression\\":\\"6*7\\"}"}}]}',
    "null",
)
END = EVENT % ("{}", '"%s"') + "data: [DONE]\n\n"


class Connection(asyncio.Protocol):
    """One keep-alive connection: a question, a stream, the next question."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        head, found, body = self._held.partition(b"\r\n\r\n")
        if found and len(body) >= length_in(head):
            self._held = b""
            self._transport.write(HEAD)
            self._emitter.asked(json.loads(body), self)

    def send(self, event: str) -> None:
        if self._transport.is_closing():
            return
        data = event.encode()
        self._transport.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(b"0\r\n\r\n")

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()


class Emitter:
    """Holds every stream of a plan back until all of them are asked for."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], list[Connection]] = defaultdict(list)
        self._tasks: set[asyncio.Task[None]] = set()

    def asked(self, body: dict[str, object], connection: Connection) -> None:
        plan, messages = Plan.of(str(body["model"])), body["messages"]
        assert isinstance(messages, list)
        part = sum(message["role"] == "tool" for message in messages)
        waiting = self._waiting[plan.name, part]
        waiting.append(connection)
        if len(waiting) == plan.streams:
            del self._waiting[plan.name, part]
            task = asyncio.ensure_future(emit(plan, part, waiting))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def emit(plan: Plan, part: int, connections: list[Connection]) -> None:
    """The streams take turns, so that tokens come evenly and not all at one moment."""
    await asyncio.sleep(0 if part else SETTLE_SECONDS)
    first, begun, sent = part * plan.tokens_of_a_round, time.monotonic(), 0
    total = plan.tokens_of_a_round * plan.streams
    while sent < total and any(connection.is_open for connection in connections):
        due = plan.due(time.monotonic() - begun)
        for number in range(sent, due):
            token = TOKEN % (first + number // plan.streams, time.monotonic_ns() // 1000)
            connections[number % plan.streams].send(token)
        sent = due
        await asyncio.sleep(TICK_SECONDS)
    for connection in connections:
        finish(connection, part, calls=part < plan.calls)


def finish(connection: Connection, part: int, *, calls: bool) -> None:
    if calls:
        connection.send(CALL % part)
    connection.send(END % ("tool_calls" if calls else "stop"))
    connection.end()


def length_in(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


async def main() -> None:
    loop, emitter = asyncio.get_running_loop(), Emitter()
    server = await loop.create_server(lambda: Connection(emitter), "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
