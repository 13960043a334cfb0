"""The one writer of a process: commits what all its turns say, one transaction at a time, then delivers it.

While a commit is under way the next batch collects. Low load gives a commit a token, high load large batches.
Nothing is delivered that is not committed, and nothing is dropped: a database that cannot be written to makes
everybody wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.db import connection

from chat.turns.stream import Entry, NotSaved, Stream
from chat.turns.writing import Written, write
from chat.wire import Piece
from sessions_app.services.transactions import CANNOT_NOW
from sessions_app.services.turn_lease import Lease

BUSY_SECONDS = 0.005
# Where one commit follows another the next one gathers a little more: a fifth less work for the same words, and
# nobody waits longer for them, because there is less to wait for.
GATHER_SECONDS = 0.001
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)

log = structlog.get_logger(__name__)

Deliver = Callable[[Sequence[Piece]], None]


class JournalWriter:
    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver
        self._dirty: dict[Stream, None] = {}
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._waiting_since: float | None = None
        self._collecting_since: float | None = None

    def open(self, lease: Lease, *, session: str, message: str, last_seq: int) -> Stream:
        """The way in for the holder of a lease; `last_seq` is its reply's newest event."""
        return Stream(lease, session=session, message=message, last_seq=last_seq, wake=self._has_more)

    @property
    def delay_seconds(self) -> float:
        """How long the oldest event has been waiting for its commit."""
        since = self._waiting_since if self._waiting_since is not None else self._collecting_since
        return 0.0 if since is None else time.monotonic() - since

    async def run(self) -> None:
        """Writes until it is cancelled, which happens after everything was flushed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._dirty:
                await self._write_once()
                if self._dirty:
                    await asyncio.sleep(GATHER_SECONDS)

    def close(self) -> None:
        self._thread.submit(lambda: connection.close())  # on its own thread, each has another
        self._thread.shutdown()

    def _has_more(self, stream: Stream) -> None:
        self._dirty[stream] = None
        if self._collecting_since is None:
            self._collecting_since = time.monotonic()
        self._wake.set()

    async def _write_once(self) -> None:
        taken = {stream: stream.take() for stream in self._dirty}
        self._dirty.clear()
        self._waiting_since, self._collecting_since = self._collecting_since, None
        taken = {stream: entries for stream, entries in taken.items() if entries}
        if taken:
            written = await self._until_written(taken)
            self._settle(written, taken)
            if written.busy and not written.pieces:
                await asyncio.sleep(BUSY_SECONDS)
        self._waiting_since = None

    async def _until_written(self, taken: dict[Stream, list[Entry]]) -> Written:
        """Tries until the database takes it or says that it never will."""
        attempt, answer_was_lost = 0, False
        while True:
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, write, taken, answer_was_lost)
            except CANNOT_NOW as error:
                answer_was_lost = True
                pause = RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)]
                log.warning("journal_waits", error=str(error), attempt=attempt, events=len(taken))
                await asyncio.sleep(pause)
                attempt += 1

    def _settle(self, written: Written, taken: dict[Stream, list[Entry]]) -> None:
        self._deliver(list(written.pieces.values()))
        for stream, piece in written.pieces.items():
            stream.written(piece.last)
        for stream in written.refused:
            stream.stale()
        for stream in written.busy:
            stream.put_back(taken[stream])
            self._collecting_since = self._waiting_since
            self._has_more(stream)
        for stream in taken.keys() - written.pieces.keys() - set(written.refused) - set(written.busy):
            stream.refuse(NotSaved())
