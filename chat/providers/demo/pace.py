"""Keeps a stream to its rate by absolute times, so that small delays never add up."""

from __future__ import annotations

import asyncio

# At full speed other tasks still get their turn.
TOKENS_BETWEEN_BREATHS = 16


class Pace:
    def __init__(self, rate: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._interval = 1 / rate if rate else 0.0
        self._due = self._loop.time()
        self._count = 0

    async def wait(self) -> None:
        """Returns when the next token is due; at once when it is late."""
        if self._interval:
            self._due += self._interval
            await asyncio.sleep(max(0.0, self._due - self._loop.time()))
            return
        self._count += 1
        if self._count % TOKENS_BETWEEN_BREATHS == 0:
            await asyncio.sleep(0)
