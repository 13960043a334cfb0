"""Writes a streamed answer at its pace, in its style of writing, and keeps account of what was said."""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass

from aiohttp import web

from tests.vendors.pieces import JSON, Piece
from tests.vendors.wish import STAMP, Fault, Wish

DATA_LINE = re.compile(rb"^data: (\{.*\})$", re.MULTILINE)


@dataclass
class Exchange:
    """One request and how it went; `said` is the text that was sent in whole events, `peer` the client's port."""

    path: str
    peer: int
    headers: dict[str, str]
    body: JSON
    said: str = ""
    was_hung_up_on: bool = False
    is_over: bool = False


class Outlet:
    def __init__(self, request: web.Request, wish: Wish, exchange: Exchange) -> None:
        self._request = request
        self._wish = wish
        self._exchange = exchange
        self._response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        self._next_at: float | None = None

    async def open(self) -> web.StreamResponse:
        await self._response.prepare(self._request)
        if self._wish.fault is Fault.BYTE_ORDER_MARK:
            await self.write(b"\xef\xbb\xbf")
        return self._response

    async def send(self, piece: Piece) -> None:
        if piece.is_word and self._wish.rate:
            await self._keep_pace()
        wire = styled(piece.wire, self._wish.fault)
        if self._wish.stamped:
            wire = wire.replace(STAMP.encode(), str(time.monotonic_ns()).encode())
        await self.write(wire)
        self._exchange.said += piece.said

    async def write(self, data: bytes) -> None:
        if self._wish.fault is Fault.ONE_BYTE:
            for number in data:
                await self._response.write(bytes([number]))
        else:
            await self._response.write(data)

    def cut(self) -> None:
        """Closes the connection in the middle of the response."""
        if self._request.transport is not None:
            self._request.transport.close()

    async def _keep_pace(self) -> None:
        now = asyncio.get_running_loop().time()
        self._next_at = now if self._next_at is None else self._next_at + 1 / self._wish.rate
        if self._next_at > now:
            await asyncio.sleep(self._next_at - now)


def styled(wire: bytes, fault: Fault) -> bytes:
    """The same event in another way of writing it."""
    match fault:
        case Fault.CRLF:
            return wire.replace(b"\n", b"\r\n")
        case Fault.CR:
            return wire.replace(b"\n", b"\r")
        case Fault.COMMENTS:
            return b": keep-alive\n\nid: 7\nretry: 1000\n" + wire
        case Fault.DUPLICATED:
            return wire * 2
        case Fault.MANY_DATA_LINES:
            return DATA_LINE.sub(on_many_lines, wire)
        case _:
            return wire


def on_many_lines(found: re.Match[bytes]) -> bytes:
    text = json.dumps(json.loads(found[1]), indent=1, ensure_ascii=False)
    return "\n".join(f"data: {line}" for line in text.splitlines()).encode()
