"""One run of one plan through one way from the agent to the reader, with what it took."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.live.listener import Heard, Job
from bench.live.logs import Journal, faults_in_log, journal_between, stop_all, wait_for_ends
from bench.live.meters import Look, Meter
from bench.live.plan import Plan
from bench.live.processes import emitter, listen, server
from bench.live.seats import seats_for
from bench.live.tally import Latency

WARM_UP_SECONDS = 1.0
LATE_SECONDS = 1.0


@dataclass(frozen=True)
class Trial:
    """`cpu_seconds` are of the process between agent and reader, for 1,000 tokens; `generator_cores` is what those
    who emit and listen have used, of one processor."""

    steps: list[Latency]
    cpu_seconds: float
    generator_cores: float
    journal: Journal | None = None
    looks: list[Look] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)

    @property
    def latency(self) -> Latency:
        return self.steps[-1]

    @property
    def steps_passed(self) -> list[Latency]:
        """Those before the first of which not all tokens came, or too late."""
        return list(itertools.takewhile(lambda step: step.is_whole and step.p95 <= LATE_SECONDS, self.steps))


def read_through(
    program: Sequence[str], plan: Plan, *, saves: bool = True, give_up_p95: float | None = None
) -> Trial:
    """Through a server of its own. Where it saves, the log must say exactly what was emitted."""
    with emitter() as (emitting, source):
        seats = seats_for(plan, emitter=source)
        with server(program) as (serving, host), Meter(serving) as served, Meter(emitting) as emitted:
            job = Job(host, plan.model, seats, WARM_UP_SECONDS, give_up_p95)
            heard, listened = listen(job)
            if is_whole := give_up_p95 is None:
                wait_for_ends(seats)
            else:
                stop_all(seats)
    refuse_faults(heard.faults or (faults_in_log(seats, plan) if saves and is_whole else []))
    begun, ended = span_of(heard)
    return Trial(
        heard.steps,
        thousandth(served.cpu_seconds(begun, ended), heard),
        (emitted.cpu_seconds(begun, ended) + listened.cpu_seconds(begun, ended)) / (ended - begun),
        journal_between(seats, begun, ended) if saves else None,
        served.between(begun, ended),
        [seat.session for seat in seats],
    )


def read_directly(plan: Plan, *, give_up_p95: float | None = None) -> Trial:
    """Without anything between agent and reader."""
    with emitter() as (emitting, source), Meter(emitting) as emitted:
        heard, listened = listen(Job(source, plan.model, [], WARM_UP_SECONDS, give_up_p95))
    refuse_faults(heard.faults)
    begun, ended = span_of(heard)
    return Trial(
        heard.steps,
        thousandth(listened.cpu_seconds(begun, ended), heard),
        emitted.cpu_seconds(begun, ended) / (ended - begun),
    )


def span_of(heard: Heard) -> tuple[float, float]:
    return heard.steps[0].begun, heard.steps[-1].ended


def thousandth(cpu_seconds: float, heard: Heard) -> float:
    return cpu_seconds * 1000 / max(1, sum(step.tokens for step in heard.steps))


def refuse_faults(faults: Sequence[str]) -> None:
    """A figure of something that loses, doubles or reorders words would be worth nothing."""
    if faults:
        raise AssertionError("; ".join(faults[:5]))
