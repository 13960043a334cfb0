"""One reader of one session's log: first what was there, then what comes, without a hole or a repetition."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import structlog
from django.db import Error

from chat.broadcast.block_feed import BlockFeed
from chat.broadcast.reading import read_piece
from chat.wire import Piece

WINDOW_BYTES = 256 * 1024
WAITING_BYTES = 1024 * 1024

RETRY_SECONDS = 1.0

log = structlog.get_logger(__name__)

Send = Callable[[str], Awaitable[None]]


class Follower:
    """Sends a session's events in order from a cursor on, and never more than the reader has room for.

    What the hub offers while there is no room is forgotten beyond a limit and read from the log later, so a
    reader who never reads costs a bounded amount of memory.
    """

    def __init__(
        self, session_id: int, session: str, *, after: int, send: Send, with_blocks: bool = False
    ) -> None:
        self.session_id, self.session = session_id, session
        self._blocks = BlockFeed(session_id, session) if with_blocks else None
        self.cursor = after
        self._send = send
        self._waiting: deque[Piece] = deque()
        self._waiting_bytes = 0
        self._target = after
        self._is_live = False
        self._unacknowledged: deque[tuple[int, int]] = deque()
        self._in_flight = 0
        self._wake = asyncio.Event()

    def offer(self, piece: Piece) -> None:
        """Called by the hub for every committed piece; never waits."""
        self._target = max(self._target, piece.last)
        if self._waiting_bytes < WAITING_BYTES:
            self._waiting.append(piece)
            self._waiting_bytes += len(piece.items)
        self._wake.set()

    def reach(self, seq: int) -> None:
        """The log is known to go up to `seq`: what was not offered is read."""
        self._target = max(self._target, seq)
        self._wake.set()

    def doubt(self) -> None:
        """Nothing to do: access is looked at for the whole socket."""

    def acknowledge(self, seq: int) -> None:
        """The reader has everything up to `seq`."""
        while self._unacknowledged and self._unacknowledged[0][0] <= seq:
            self._in_flight -= self._unacknowledged.popleft()[1]
        self._wake.set()

    async def run(self, *, up_to: int, caught_up: Callable[[int], Awaitable[None]]) -> None:
        """Follows until it is cancelled; `caught_up` is called once, when everything up to `up_to` is sent."""
        self._target = max(self._target, up_to)
        has_begun = False
        while True:
            try:
                if not has_begun:
                    await self._send_earlier_blocks()
                    has_begun = True
                await self._send_what_there_is()
            except Error as error:
                log.warning("follower_waits", session=self.session, error=str(error))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if not self._is_live and self.cursor >= up_to:
                self._is_live = True
                await caught_up(self.cursor)
            await self._wake.wait()

    async def _send_earlier_blocks(self) -> None:
        for text in await self._blocks.begin(self.cursor) if self._blocks else ():
            await self._send(text)

    async def _send_what_there_is(self) -> None:
        self._wake.clear()
        while self.cursor < self._target and self.has_room:
            piece = self._next_waiting() or await read_piece(self.session_id, self.session, self.cursor)
            if piece is None:
                return
            await self._send_piece(piece)

    @property
    def has_room(self) -> bool:
        """One frame may always be in flight, however large it is."""
        return not self._unacknowledged or self._in_flight < WINDOW_BYTES

    def _next_waiting(self) -> Piece | None:
        """The offered piece that follows the cursor exactly; those behind it are forgotten."""
        while self._waiting and self._waiting[0].first <= self.cursor:
            self._forget_first()
        if self._waiting and self._waiting[0].first == self.cursor + 1:
            return self._forget_first()
        return None

    def _forget_first(self) -> Piece:
        piece = self._waiting.popleft()
        self._waiting_bytes -= len(piece.items)
        return piece

    async def _send_piece(self, piece: Piece) -> None:
        self.cursor = piece.last
        self._unacknowledged.append((piece.last, piece.size))
        self._in_flight += piece.size
        await self._send(piece.frame)
        for text in await self._blocks.after(piece) if self._blocks else ():
            await self._send(text)
