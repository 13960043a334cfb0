"""Counts what readers receive: when each token came, and whether any is missing, double or out of order."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.live.plan import Plan

MOST_FAULTS = 10
ALMOST_ALL = 0.98  # what is emitted at the very border of two steps may count for either


@dataclass
class Tally:
    """Times are microseconds of the machine's monotonic clock, which all processes share."""

    plan: Plan
    emitted: array[int] = field(default_factory=lambda: array("q"))
    taken: array[int] = field(default_factory=lambda: array("q"))
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._next = [0] * self.plan.streams
        self.unfinished = self.plan.streams

    def take(self, stream: int, tokens: bytes) -> None:
        """The text of one event: one token or more, each with its space."""
        now, expected = time.monotonic_ns() // 1000, self._next[stream]
        for token in tokens.split():
            number, _, emitted = token.partition(b":")
            if int(number) != expected:
                self._note(stream, expected, int(number))
            expected = int(number) + 1
            self.emitted.append(int(emitted))
            self.taken.append(now - int(emitted))
        self._next[stream] = expected
        if expected == self.plan.tokens:
            self.unfinished -= 1

    def _note(self, stream: int, expected: int, found: int) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(f"stream {stream}: token {found} came where {expected} was due")

    def latest_p95(self) -> float:
        """Of the newest thousand tokens, in seconds."""
        return percentile(sorted(self.taken[-1000:]), 95)


@dataclass(frozen=True)
class Latency:
    """In seconds, of the tokens that were emitted between two moments; `is_whole` when all of them came."""

    p50: float
    p95: float
    p99: float
    tokens: int
    begun: float
    ended: float
    is_whole: bool


def latency(tally: Tally, rate: float, begun: float, ended: float) -> Latency:
    """Of what was emitted between two moments of the clock, in seconds."""
    taken = sorted(
        taken
        for emitted, taken in zip(tally.emitted, tally.taken, strict=True)
        if begun <= emitted / 1e6 < ended
    )
    return Latency(
        p50=percentile(taken, 50),
        p95=percentile(taken, 95),
        p99=percentile(taken, 99),
        tokens=len(taken),
        begun=begun,
        ended=ended,
        is_whole=len(taken) >= ALMOST_ALL * rate * (ended - begun),
    )


def latencies(tally: Tally, *, warm_up: float) -> list[Latency]:
    """By step of the plan, without the first moment of the first one, in which everything is new."""
    if not tally.emitted:
        return []
    begun, found = min(tally.emitted) / 1e6, []
    for rate, seconds in tally.plan.steps:
        found.append(latency(tally, rate, begun + warm_up, begun + seconds))
        begun, warm_up = begun + seconds, 0.0
    return found


def percentile(ordered: Sequence[int], share: int) -> float:
    """Of microseconds in their order, in seconds."""
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)] / 1e6 if ordered else 0.0
