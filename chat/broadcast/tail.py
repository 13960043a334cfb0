"""A reader of one session's log that is asked for the next piece: by long polls, event streams and waits."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterator

from chat.broadcast.announcing import station
from chat.broadcast.reading import read_piece
from chat.wire import Piece
from sessions_app.models import Session

WAITING_BYTES = 1024 * 1024


class Tail:
    """Gives the log from a cursor on without a hole or a repetition, and never runs ahead of who asks. What
    is offered meanwhile is forgotten beyond a limit and read from the log later."""

    def __init__(self, session_id: int, session: str, *, after: int) -> None:
        self.session_id, self.session, self.cursor = session_id, session, after
        self._target = after
        self._waiting: deque[Piece] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self.doubts = 0

    def offer(self, piece: Piece) -> None:
        if self._waiting_bytes < WAITING_BYTES:
            self._waiting.append(piece)
            self._waiting_bytes += len(piece.items)
        self.reach(piece.last)

    def reach(self, seq: int) -> None:
        self._target = max(self._target, seq)
        self._wake.set()

    def doubt(self) -> None:
        """`doubts` counts how often the reader may have lost access since the beginning."""
        self.doubts += 1
        self._wake.set()

    async def next(self, *, seconds: float) -> Piece | None:
        """What follows, as soon as it is committed; None where nothing was in time, or who reads is in doubt."""
        try:
            async with asyncio.timeout(seconds):
                return await self._next()
        except TimeoutError:
            return None

    async def _next(self) -> Piece | None:
        doubts = self.doubts
        while self.doubts == doubts:
            self._wake.clear()
            if self.cursor < self._target:
                piece = self._next_waiting() or await read_piece(self.session_id, self.session, self.cursor)
                if piece is not None:
                    self.cursor = piece.last
                    return piece
            await self._wake.wait()
        return None

    def _next_waiting(self) -> Piece | None:
        while self._waiting and self._waiting[0].first <= self.cursor:
            self._forget_first()
        if self._waiting and self._waiting[0].first == self.cursor + 1:
            return self._forget_first()
        return None

    def _forget_first(self) -> Piece:
        piece = self._waiting.popleft()
        self._waiting_bytes -= len(piece.items)
        return piece


@contextlib.contextmanager
def tail_of(session: Session, *, after: int) -> Iterator[Tail]:
    """Follows a session that was just read from the database, until the block is left."""
    tail = Tail(session.pk, str(session.public_id), after=min(after, session.last_seq))
    hub = station().hub
    hub.follow(tail, conversation_id=session.conversation_id, last=session.last_seq)
    tail.reach(session.last_seq)
    try:
        yield tail
    finally:
        hub.unfollow(tail)
