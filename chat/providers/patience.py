"""Ends a wait that lasts too long, at the price of two assignments for each wait instead of a timer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Patience:
    """Calls `give_up` once when a wait has lasted `seconds`; between waits no time counts.

    So a vendor is not blamed for the time in which we ourselves were not reading.
    """

    def __init__(self, seconds: float, give_up: Callable[[], None]) -> None:
        self.is_over = False
        self.seconds = seconds
        self._give_up = give_up
        self._loop = asyncio.get_running_loop()
        self._waiting_since: float | None = None
        self._timer = self._loop.call_later(seconds, self._look)

    def begin(self) -> None:
        self._waiting_since = self._loop.time()

    def end(self) -> None:
        self._waiting_since = None

    def change(self, seconds: float) -> None:
        """From now on a wait may last so long."""
        self.seconds = seconds
        self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._look)

    def close(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        now = self._loop.time()
        left = self.seconds if self._waiting_since is None else self._waiting_since + self.seconds - now
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
        else:
            self.is_over = True
            self._give_up()
