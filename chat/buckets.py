"""How fast something may be done: buckets that fill with time, so that bursts are fine and floods are not."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict

from sessions_app.errors import HoldfastError

MOST_BUCKETS = 10_000


class TooFast(HoldfastError):
    """Says how long to wait, in words and as a fact."""

    code = "too_fast"

    def __init__(self, seconds: float) -> None:
        self.wait_seconds = max(1, math.ceil(seconds))
        wait = "a second" if self.wait_seconds == 1 else f"{self.wait_seconds} seconds"
        sentence = f"That is faster than allowed; nothing was done. Wait {wait}, then do it again."
        super().__init__(sentence, retry_after_seconds=round(seconds, 2))


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
            raise TooFast((1 - self._level) / self._a_second)
        self._level -= 1


class Buckets:
    """Those of who asked last; who comes back after many others begins with a full one."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, *, burst: int, a_second: float) -> None:
        with self._lock:
            bucket = self._buckets.pop(key, None) or Bucket(burst=burst, a_second=a_second)
            self._buckets[key] = bucket
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
            bucket.take()

    def clear(self) -> None:
        """Everybody begins anew."""
        with self._lock:
            self._buckets.clear()
