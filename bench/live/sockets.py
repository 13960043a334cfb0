"""Readers of Holdfast: each follows one session through a socket of its own, asks once, and acknowledges."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from bench.live.frames import CLOSE, PING, PONG, TEXT, FrameReader, client_frame, handshake
from bench.live.tally import Tally

# What the protocol asks of a client.
ACKNOWLEDGE_BYTES, ACKNOWLEDGE_SECONDS = 64 * 1024, 0.5
FROM_THE_END = 2**52
EVENTS, MARK = b'{"type":"events"', b'"text":"'
AT_ONCE = 20


@dataclass(frozen=True)
class Seat:
    """Who reads: the cookie of a login, and what is followed."""

    cookie: str
    conversation: str
    session: str


@dataclass
class Reader(asyncio.Protocol):
    number: int
    seat: Seat
    host: str
    tally: Tally
    follows: asyncio.Event = field(default_factory=asyncio.Event)
    last: int = 0
    acknowledged: int = 0
    unacknowledged_bytes: int = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._frames, self._has_begun, self._head = transport, FrameReader(), False, b""
        transport.write(handshake(self.host, self.seat.cookie))

    def connection_lost(self, exc: Exception | None) -> None:
        if self.tally.unfinished:
            self.tally.faults.append(f"socket {self.number} was closed")

    def data_received(self, data: bytes) -> None:
        if not self._has_begun:
            self._head += data
            _, found, data = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._has_begun = True
        for kind, payload in self._frames.feed(data):
            if kind == TEXT and payload.startswith(EVENTS):
                self._take_events(payload)
            elif kind == TEXT:
                self._take_other(json.loads(payload))
            elif kind == PING:
                self._transport.write(client_frame(PONG, payload))
            elif kind == CLOSE:
                self._transport.close()

    def _take_events(self, frame: bytes) -> None:
        at = frame.find(MARK)
        while at >= 0:
            begin = at + len(MARK)
            end = frame.index(b'"', begin)
            if frame[end - 1] == ord(" "):  # what people write has no space at its end
                self.tally.take(self.number, frame[begin:end])
            at = frame.find(MARK, end)
        begin = frame.index(b'"last":') + 7
        self.last = int(frame[begin : frame.index(b",", begin)])
        self.unacknowledged_bytes += len(frame)
        if self.unacknowledged_bytes > ACKNOWLEDGE_BYTES:
            self.acknowledge()

    def _take_other(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "hello":
                self._send("subscribe", id="1", session=self.seat.session, after=FROM_THE_END)
            case "caught_up":
                self.follows.set()
            case "error":
                self.tally.faults.append(f"socket {self.number}: {frame['sentence']}")

    def ask(self) -> None:
        seat = self.seat
        self._send(
            "post", id="2", conversation=seat.conversation, session=seat.session, client_id="1", text="Go."
        )

    def acknowledge(self) -> None:
        if self.acknowledged < self.last:
            self._send("ack", session=self.seat.session, seq=self.last)
            self.acknowledged, self.unacknowledged_bytes = self.last, 0

    def close(self) -> None:
        self._transport.close()

    def _send(self, kind: str, **fields: Any) -> None:
        self._transport.write(client_frame(TEXT, json.dumps({"type": kind, **fields}).encode()))


async def read_sockets(host: str, seats: list[Seat], tally: Tally) -> list[Reader]:
    """Opens all sockets, and asks when all of them follow."""
    readers = [Reader(number, seat, host, tally) for number, seat in enumerate(seats)]
    name, port = host.split(":")
    for begin in range(0, len(readers), AT_ONCE):
        some = readers[begin : begin + AT_ONCE]
        loop = asyncio.get_running_loop()
        for reader in some:
            await loop.create_connection(lambda reader=reader: reader, name, int(port))  # type: ignore[misc]
        await asyncio.gather(*(reader.follows.wait() for reader in some))
    for reader in readers:
        reader.ask()
    return readers


async def acknowledge_all(readers: list[Reader]) -> None:
    """One timer for all of them."""
    while True:
        await asyncio.sleep(ACKNOWLEDGE_SECONDS * 0.8)
        for reader in readers:
            reader.acknowledge()
