"""What is pushed to a socket from outside: sent in order by a task of its own, and dropped when it piles up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from chat.broadcast.follower import Send

LENGTH = 100


class Outbox:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._queue: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(LENGTH)
        self._is_ended = False
        self._task = asyncio.ensure_future(self._run())

    def push(self, text: str) -> bool:
        """Whether it will be sent."""
        if self._queue.full() or self._is_ended:
            return False
        self._queue.put_nowait(lambda: self._send(text))
        return True

    def end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Closes next, whatever waits, and once."""
        if self._is_ended:
            return
        self._is_ended = True
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(close)

    async def stop(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            await (await self._queue.get())()
