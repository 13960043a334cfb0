"""A session's log as Server-Sent Events: each event once, in order, with its number as the stream's own id."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import DatabaseError

from chat.api.standing import Stands
from chat.broadcast.standings import Lost
from chat.broadcast.tail import Tail, tail_of
from chat.database_threads import read
from chat.wire import Piece
from sessions_app.models import EventKind, Session, Turn

MEDIA_TYPE = "text/event-stream"
# The server buffers what a client does not read, without end: so one response has an end.
LARGEST_RESPONSE = 4 * 1024 * 1024
LOOK_SECONDS = 3.0
QUIET_SECONDS = 15.0
RETRY_SECONDS = 1.0
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Until:
    """Where a stream ends by itself: when a turn ends, or at a number of the log."""

    turn: str = ""
    seq: int | None = None

    @classmethod
    def the_end_of(cls, turn: Turn, session: Session) -> Until:
        """The turn was read before its session: where it has ended, the session's log says so."""
        return cls(turn=str(turn.public_id)) if turn.is_live else cls(seq=session.last_seq)

    def is_reached(self, after: int) -> bool:
        return self.seq is not None and after >= self.seq

    def is_in(self, events: list[dict[str, Any]]) -> bool:
        return any(self.is_reached(event["seq"]) or self._ends_with(event) for event in events)

    def _ends_with(self, event: dict[str, Any]) -> bool:
        return bool(event["kind"] == EventKind.TURN_ENDED and event["payload"]["turn"] == self.turn)


async def event_stream(
    session: Session,
    *,
    after: int,
    stands: Stands,
    until: Until | None = None,
    largest: int = LARGEST_RESPONSE,
) -> AsyncIterator[bytes]:
    """Follows the log until it is far enough, the reader goes, access is taken away, or the response is large
    enough; the reader comes back with the last id it has."""
    yield b"retry: 500\n\n"
    until = until or Until()
    if until.is_reached(after):
        return
    size, looked_at, spoke_at = 0, time.monotonic(), time.monotonic()
    with tail_of(session, after=after) as tail:
        while size < largest:
            doubts, piece = tail.doubts, await next_piece(tail)
            now = time.monotonic()
            if now - looked_at >= LOOK_SECONDS or tail.doubts > doubts:
                if (lost := await lost_by(stands)) is not None:
                    yield _shown_out(lost)
                    return
                looked_at = now
            if piece is not None or now - spoke_at >= QUIET_SECONDS:
                told = _told(piece) if piece is not None else b": nothing new\n\n"
                size, spoke_at = size + len(told), now
                yield told
            if piece is not None and until.is_in(piece.events):
                return


async def next_piece(tail: Tail) -> Piece | None:
    try:
        return await tail.next(seconds=LOOK_SECONDS)
    except DatabaseError as error:
        log.warning("event_stream_waits", session=tail.session, error=str(error))
        await asyncio.sleep(RETRY_SECONDS)
        return None


async def lost_by(stands: Stands) -> Lost | None:
    """Where it cannot be asked, nothing more is sent: who may read comes back."""
    try:
        return await read(stands)
    except DatabaseError:
        return Lost.NOT_KNOWN


def _shown_out(lost: Lost) -> bytes:
    """Not an event of the log: it has no id, so that who comes back goes on where they were."""
    told = json.dumps({"why": lost, "sentence": lost.sentence})
    return f"event: access_lost\ndata: {told}\n\n".encode()


def _told(piece: Piece) -> bytes:
    lines = (
        f"id: {event['seq']}\nevent: {event['kind']}\n"
        f"data: {json.dumps(event, ensure_ascii=False, separators=(',', ':'))}\n\n"
        for event in piece.events
    )
    return "".join(lines).encode()
