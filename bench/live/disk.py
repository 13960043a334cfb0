"""How long the disk takes to keep 4 KiB for good: no commit can be faster."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

FLUSHES = 200


@dataclass(frozen=True)
class Flush:
    p50: float
    p95: float


def measure_flush(folder: Path) -> Flush:
    """Over the same pages again and again, as a journal that has reached its size does."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(4096 * FLUSHES))
        os.fsync(file.fileno())
        file.seek(0)
        seconds = sorted(_flush(file.fileno()) for _ in range(FLUSHES))
    return Flush(seconds[FLUSHES // 2], seconds[FLUSHES * 95 // 100])


def _flush(number: int) -> float:
    os.write(number, bytes(4096))
    begun = time.perf_counter()
    os.fdatasync(number)
    return time.perf_counter() - begun
