"""How fast one socket may speak: a bucket that fills with time, so that bursts are fine and floods are not."""

from __future__ import annotations

import time

from sessions_app.errors import HoldfastError


class TooFast(HoldfastError):
    code = "too_fast"
    sentence = "That is faster than allowed; nothing was done. Wait a moment and send it again."


class Bucket:
    def __init__(self, *, burst: int, a_second: float) -> None:
        self._burst, self._a_second = burst, a_second
        self._level, self._at = float(burst), time.monotonic()

    def take(self) -> None:
        """One unit, or a refusal that says when there will be another."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._a_second)
        self._at = now
        if self._level < 1:
            raise TooFast(retry_after_seconds=round((1 - self._level) / self._a_second, 2))
        self._level -= 1
