"""Serves Holdfast changed for a measurement: python -m bench.live.serve <change> …, then what `serve` takes.

The product has no such settings. `without_journal` shows what is not saved, which is what everything is compared
with; `slow_disk` makes each commit 20 ms longer; `timed_writes` notes how long each batch of the journal takes.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

SLOW_COMMIT_SECONDS = 0.020
WRITES_FILE = "BENCH_WRITES_FILE"


def without_journal() -> None:
    """Each token is delivered the moment it comes, on the loop: no thread, no batch, no commit."""
    from chat.turns.journal_writer import JournalWriter
    from chat.turns.stream import Stream

    runtime: Any = importlib.import_module("chat.turns.runtime")
    writing: Any = importlib.import_module("chat.turns.writing")

    class Unsaved(JournalWriter):
        def _has_more(self, stream: Stream) -> None:
            events = [entry.encoded for entry in stream.take()]
            piece = writing._piece(stream, events, stream.last_seq + 1, timezone.now())
            self._deliver([piece])
            stream.written(piece.last)

    runtime.JournalWriter = Unsaved


def slow_disk() -> None:
    wrapper: Any = BaseDatabaseWrapper
    commit = wrapper._commit

    def slow_commit(self: Any) -> None:
        time.sleep(SLOW_COMMIT_SECONDS)
        commit(self)

    wrapper._commit = slow_commit


def timed_writes() -> None:
    """The seconds of every batch go into a file when the server ends."""
    journal_writer: Any = importlib.import_module("chat.turns.journal_writer")
    write, seconds = journal_writer.write, array("d")

    def timed(*args: Any) -> Any:
        begun = time.perf_counter()
        written = write(*args)
        seconds.append(time.perf_counter() - begun)
        return written

    journal_writer.write = timed
    atexit.register(lambda: Path(os.environ[WRITES_FILE]).write_text(json.dumps(list(seconds))))


CHANGES: dict[str, Callable[[], None]] = {
    change.__name__: change for change in (without_journal, slow_disk, timed_writes)
}


if __name__ == "__main__":
    django.setup()
    CHANGES[sys.argv[1]]()
    call_command("serve", *sys.argv[2:])
