"""The live end of one session in this process: passes committed pieces on to its followers, in order."""

from __future__ import annotations

import asyncio

import structlog
from django.db import Error

from chat.broadcast.listener import Listener
from chat.broadcast.reading import read_piece
from chat.wire import Piece

log = structlog.get_logger(__name__)


class Lane:
    """Knows how far it has passed the log on. A piece that does not follow is a sign to read the log itself."""

    def __init__(self, session_id: int, session: str, conversation_id: int, *, last: int) -> None:
        self.session_id, self.session, self.conversation_id = session_id, session, conversation_id
        self.last = self._target = last
        self.followers: set[Listener] = set()
        self._reading: asyncio.Task[None] | None = None

    def committed(self, piece: Piece) -> None:
        if piece.first == self.last + 1 and self._reading is None:
            self._pass_on(piece)
        else:
            self.nudge(piece.last)

    def nudge(self, last: int) -> None:
        """The log is known to reach up to `last`; what is not there yet is read, once for all followers."""
        self._target = max(self._target, last)
        if self._target > self.last and self._reading is None:
            self._reading = asyncio.ensure_future(self._read())

    def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()

    async def _read(self) -> None:
        try:
            while self.last < self._target:
                piece = await read_piece(self.session_id, self.session, self.last)
                if piece is None:
                    return
                self._pass_on(piece)
        except Error as error:
            # The slow poll comes back to it; nobody has missed anything, since cursors did not move.
            log.warning("log_not_read", session=self.session, error=str(error))
        finally:
            self._reading = None

    def _pass_on(self, piece: Piece) -> None:
        self.last = piece.last
        for follower in self.followers:
            follower.offer(piece)
