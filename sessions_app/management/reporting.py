"""How the commands tell people about a verification: a bar while it lasts, then sentences."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import TextIO

from django.core.management.base import OutputWrapper

from sessions_app.services.verify import Report

PATIENCE_SECONDS = 1.0
STEP_SECONDS = 0.2
WIDTH = 30
MOST_SHOWN = 50


class ProgressBar:
    """A bar for people at a terminal, once they have waited a second; nothing for anybody else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._is_seen = stream, False
        self._next = time.monotonic() + PATIENCE_SECONDS if stream.isatty() else float("inf")

    def show(self, done: int, total: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next, self._is_seen = time.monotonic() + STEP_SECONDS, True
        share = min(1.0, done / max(1, total))
        bar = "█" * round(WIDTH * share) + "░" * (WIDTH - round(WIDTH * share))
        self._stream.write(f"\r{bar} {share:4.0%}  {done:,} of {total:,} events")
        self._stream.flush()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_seen:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


@contextlib.contextmanager
def remembering(stderr: OutputWrapper) -> Iterator[None]:
    """What a command found counts although the folder cannot be written to."""
    try:
        yield
    except OSError as error:
        stderr.write(f"The dashboard will not know of it: {error}")


def described(report: Report) -> str:
    """What was read, how long that took, and the findings, a line each."""
    read = ", ".join(f"{count:,} {name}" for name, count in report.counts.items())
    lines = [f"Read {read} in {report.seconds:.1f} s."]
    if report.is_clean:
        return "\n".join([*lines, "Everything is in order."])
    things = "1 thing is" if report.finding_count == 1 else f"{report.finding_count:,} things are"
    shown = report.findings[:MOST_SHOWN]
    lines += [f"{things} not in order:", *(f"  {finding}" for finding in shown)]
    if report.finding_count > len(shown):
        lines.append(f"  … and {report.finding_count - len(shown):,} more.")
    return "\n".join(lines)
