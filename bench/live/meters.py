"""Watches processes from outside: how much processor and memory each has used, several times a second."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

LOOK_SECONDS = 0.05
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Look(NamedTuple):
    at: float
    cpu_seconds: float
    memory_bytes: int


class Meter:
    """Looks at one process until it is ended, or the process has."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")
        self._looks: list[Look] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Meter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def cpu_seconds(self, begun: float, ended: float) -> float:
        """Used between two moments of the monotonic clock."""
        looks = self.between(begun, ended)
        return looks[-1].cpu_seconds - looks[0].cpu_seconds if looks else 0.0

    def between(self, begun: float, ended: float) -> list[Look]:
        return [look for look in self._looks if begun <= look.at <= ended]

    def _run(self) -> None:
        try:
            while not self._ended.wait(LOOK_SECONDS):
                self._looks.append(self._look())
        except OSError:
            pass  # it has ended

    def _look(self) -> Look:
        # The name of the process stands in brackets and may hold spaces; after it come plain numbers.
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        resident = int((self._folder / "statm").read_text().split()[1])
        return Look(time.monotonic(), (int(fields[11]) + int(fields[12])) / TICKS, resident * PAGE_BYTES)
