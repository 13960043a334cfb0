"""Whether memory stays flat: 50 streams at 50 tokens a second, for ten minutes."""

from __future__ import annotations

import statistics

from bench.live.processes import AS_IT_IS
from bench.live.report import MIB
from bench.live.run import collect_static_files, steady
from bench.live.trial import read_through
from bench.tables import print_table
from bench.targets import Target

STREAMS, SECONDS = 50, 600.0
QUICK_STREAMS, QUICK_SECONDS = 3, 3.0
LIMIT = 1.1
PARTS = 10


def measure(*, quick: bool) -> list[Target]:
    streams, seconds = (QUICK_STREAMS, QUICK_SECONDS) if quick else (STREAMS, SECONDS)
    collect_static_files()
    trial = read_through(AS_IT_IS, steady(streams, seconds))
    size = len(trial.looks) // PARTS
    tenths = [
        statistics.median(look.memory_bytes for look in trial.looks[at * size : (at + 1) * size]) / MIB
        for at in range(PARTS)
    ]
    target = Target("memory, the last tenth to the second", tenths[-1] / tenths[1], LIMIT)
    print_table(
        f"Memory of the server, {streams} streams at 50 tokens a second for {seconds:.0f} s",
        [*(f"{at + 1}/{PARTS}" for at in range(PARTS)), "ratio", "target", ""],
        [[*(f"{tenth:.0f} MiB" for tenth in tenths), *target.cells]],
        "Medians of each tenth of the time; a long reply is one message all the while.",
    )
    return [target]
