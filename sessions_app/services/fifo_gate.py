"""The queue of this process's writers on SQLite: first come, first served, with room for other processes."""

from __future__ import annotations

import threading
import time
from collections import deque

# Between back-to-back transactions another process gets its chance: without this it waits for seconds.
ROOM_FOR_OTHERS_SECONDS = 0.0005


class FifoGate:
    """A lock that is handed over in the order people asked for it; a plain Lock can starve a thread."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_held = False
        self._left_at = 0.0

    def __enter__(self) -> None:
        turn = threading.Event()
        with self._mutex:
            if self._is_held:
                self._waiting.append(turn)
            else:
                self._is_held = True
                turn.set()
        self._wait(turn)
        pause = self._left_at + ROOM_FOR_OTHERS_SECONDS - time.monotonic()
        if pause > 0:
            time.sleep(pause)

    def __exit__(self, *_: object) -> None:
        with self._mutex:
            self._left_at = time.monotonic()
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_held = False

    def _wait(self, turn: threading.Event) -> None:
        """Whoever is interrupted while waiting leaves the queue, or everybody behind would wait for ever."""
        try:
            turn.wait()
        except BaseException:
            with self._mutex:
                is_still_waiting = turn in self._waiting
                if is_still_waiting:
                    self._waiting.remove(turn)
            if not is_still_waiting:
                self.__exit__()
            raise
