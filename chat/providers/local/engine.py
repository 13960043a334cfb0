"""Starts the process that runs the model, when somebody first asks it, and carries words to and from it."""

from __future__ import annotations

import asyncio
import itertools
import json
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from chat.providers.local.files import find_model

WORKER = Path(__file__).with_name("worker.py")
GONE = {"gone": True}

log = structlog.get_logger(__name__)

Message = dict[str, Any]


class Engine:
    """One process. It answers one request after the other; those that wait wait in it.

    It belongs to no event loop: a thread of its own hears it and tells whichever loop asked.
    """

    def __init__(self, model: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER), str(model)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # The library writes much there, and none of it is for the server's log.
            stderr=subprocess.DEVNULL,
            # Ctrl-C in the server's terminal is for the server, which drains first.
            start_new_session=True,
        )
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Queue[Message]]] = {}
        self._is_over = False
        self._heard_at = time.monotonic()
        self._to_send: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        for work in (self._hear, self._speak):
            threading.Thread(target=work, name="local-model", daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_gone(self) -> bool:
        return self._process.poll() is not None

    @property
    def silent_seconds(self) -> float:
        return time.monotonic() - self._heard_at

    def open(self) -> tuple[int, asyncio.Queue[Message]]:
        """A number for a request, and where its answer will arrive on this loop."""
        number, answer = next(self._numbers), asyncio.Queue[Message]()
        with self._lock:
            self._waiting[number] = (asyncio.get_running_loop(), answer)
            if self._is_over:
                answer.put_nowait(GONE)
        return number, answer

    def send(self, message: Message | None) -> None:
        """Never waits: a thread carries it over, in this order. None is the last."""
        self._to_send.put(message)

    def close(self, number: int, *, is_finished: bool) -> None:
        """Nothing more is heard of that request; the process stops working on it."""
        with self._lock:
            self._waiting.pop(number, None)
        if not is_finished:
            self.send({"cancel": number})

    def kill(self) -> None:
        self._process.kill()

    def _speak(self) -> None:
        assert self._process.stdin is not None
        # What a process that died did not read is of no use to anybody.
        with suppress(OSError), self._process.stdin as pipe:
            while (message := self._to_send.get()) is not None:
                pipe.write(json.dumps(message).encode() + b"\n")
                pipe.flush()

    def _hear(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            for line in pipe:
                self._heard_at = time.monotonic()
                self._tell(json.loads(line))
        self._process.wait()
        self.send(None)
        with self._lock:
            self._is_over = True
        self._tell_all(GONE)

    def _tell(self, message: Message) -> None:
        if "broken" in message:
            log.error("local_model_broken", error=message["broken"])
            self._tell_all(message)
            return
        with self._lock:
            waiting = self._waiting.get(message["id"])
        if waiting:
            _put(*waiting, message)

    def _tell_all(self, message: Message) -> None:
        with self._lock:
            waiting = list(self._waiting.values())
        for each in waiting:
            _put(*each, message)


def _put(loop: asyncio.AbstractEventLoop, answer: asyncio.Queue[Message], message: Message) -> None:
    # Whoever asked may be gone with their loop.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(answer.put_nowait, message)


class _Shared:
    lock = threading.Lock()
    engine: Engine | None = None


def shared_engine() -> Engine:
    """The one process of this server; a new one where there is none or it has died."""
    with _Shared.lock:
        if _Shared.engine is None or _Shared.engine.is_gone:
            _Shared.engine = Engine(find_model())
        return _Shared.engine
