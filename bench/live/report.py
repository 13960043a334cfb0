"""Prints what was measured between agent and reader, beside what was promised of it."""

from __future__ import annotations

from collections.abc import Mapping

from bench.live.disk import Flush
from bench.live.trial import Trial
from bench.tables import milliseconds, print_table
from bench.targets import Target

DIRECT, UNSAVED, SAVED, SLOW = "direct", "without journal", "Holdfast", "Holdfast, 20 ms a commit"
LIMIT = 2.0
MIB = 1024 * 1024
# What we think two cores can do. Absolute figures are a machine's, so they are no targets.
ORIENTATION = {50: "p95 ≤ 3 ms, ≤ 0.150 CPU-s", 200: "p95 ≤ 15 ms"}

Loads = Mapping[int, Mapping[str, Trial]]


def print_loads(loads: Loads, flush: Flush) -> list[Target]:
    print_table(
        "From the agent to the reader, at 50 tokens a second and stream",
        ["way", "streams", "p50", "p95", "p99", "CPU-s/1,000", "commits/s", "rows/s", "memory", "generator"],
        [row(streams, name, trial) for streams, trials in loads.items() for name, trial in trials.items()],
        "Nothing was lost, doubled or reordered: every reader counted, and every log is what was emitted.",
        "CPU-s: of the process between agent and reader, for 1,000 tokens. Generator: what emitting and listening",
        "took of one core; directly it is emitting alone. Memory: at the beginning and at the end.",
        f"This disk flushes 4 KiB in {milliseconds(flush.p50)} (p50) and {milliseconds(flush.p95)} (p95).",
    )
    return print_ratios(loads)


def row(streams: int, name: str, trial: Trial) -> list[str]:
    latency, journal = trial.latency, trial.journal
    return [
        name,
        f"{streams}",
        *(milliseconds(seconds) for seconds in (latency.p50, latency.p95, latency.p99)),
        f"{trial.cpu_seconds:.3f}",
        *([f"{journal.commits:,.0f}", f"{journal.rows:,.0f}"] if journal else ["", ""]),
        memory(trial),
        f"{trial.generator_cores:.0%}",
    ]


def memory(trial: Trial) -> str:
    if not trial.looks:
        return ""
    first, last = (trial.looks[at].memory_bytes / MIB for at in (0, -1))
    return f"{first:.0f}, {last:.0f} MiB"


def print_ratios(loads: Loads) -> list[Target]:
    targets: list[Target] = []
    rows: list[list[str]] = []
    for streams, trials in loads.items():
        saved, unsaved, direct = trials[SAVED], trials[UNSAVED], trials[DIRECT]
        p95, cpu = saved.latency.p95, saved.cpu_seconds
        pair = (
            Target(f"p95 of {streams}", p95 / max(unsaved.latency.p95, 1e-6), LIMIT),
            Target(f"CPU of {streams}", cpu / max(unsaved.cpu_seconds, 1e-6), LIMIT),
        )
        measured = f"{milliseconds(p95)}, {cpu:.3f} CPU-s"
        times = (p95 / max(direct.latency.p95, 1e-6), cpu / max(direct.cpu_seconds, 1e-6))
        for target, to_direct in zip(pair, times, strict=True):
            rows.append(
                [target.name, *target.cells, f"{to_direct:.1f}", measured, ORIENTATION.get(streams, "")]
            )
        targets += pair
    headings = ["streams", "to no journal", "target", "", "to direct", "measured", "orientation"]
    print_table("What the journal costs: Holdfast as a multiple of the other ways", headings, rows)
    return targets


def print_climbs(climbs: Mapping[str, Trial], *, streams: int) -> None:
    print_table(
        "How many tokens a second before p95 passes 1 s",
        ["way", "tokens/s", "p50 there", "p95 there", "generator"],
        [climb_row(name, trial) for name, trial in climbs.items()],
        f"{streams} streams, faster and faster; orientation for Holdfast: 15,000 tokens/s in one process.",
        "Who emits and who listens share the two cores with what is measured, and set the highest figures.",
    )


def climb_row(name: str, trial: Trial) -> list[str]:
    passed = trial.steps_passed
    if not passed:
        return [name, "none", "", "", ""]
    step = passed[-1]
    latency = (milliseconds(step.p50), milliseconds(step.p95))
    return [name, f"{step.tokens / (step.ended - step.begun):,.0f}", *latency, f"{trial.generator_cores:.0%}"]
