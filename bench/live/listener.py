"""The process that reads: python -m bench.live.listener takes a job from its input and prints what it heard."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.live.direct import read_directly
from bench.live.plan import Plan
from bench.live.sockets import Seat, acknowledge_all, read_sockets
from bench.live.tally import Latency, Tally, latencies

LOOK_SECONDS = 0.1
SILENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Job:
    """Without seats the host is the emitter's and is read directly. `give_up_p95` ends a run that is too slow."""

    host: str
    model: str
    seats: list[Seat]
    warm_up: float
    give_up_p95: float | None = None


@dataclass(frozen=True)
class Heard:
    """What the readers have received, by step of the plan."""

    steps: list[Latency]
    tokens: int
    faults: list[str] = field(default_factory=list)


async def listen(job: Job) -> Heard:
    plan = Plan.of(job.model)
    tally = Tally(plan)
    if job.seats:
        readers = await read_sockets(job.host, job.seats, tally)
        acknowledging = asyncio.ensure_future(acknowledge_all(readers))
        await until_all_came(tally, job.give_up_p95)
        acknowledging.cancel()
        for reader in readers:
            reader.acknowledge()
    else:
        reading = asyncio.ensure_future(read_directly(job.host, tally))
        await until_all_came(tally, job.give_up_p95)
        reading.cancel()
    return Heard(latencies(tally, warm_up=job.warm_up), len(tally.emitted), tally.faults)


async def until_all_came(tally: Tally, give_up_p95: float | None) -> None:
    """Or until nothing comes any more, or too late."""
    silent_for, before = 0.0, 0
    while tally.unfinished and silent_for < SILENCE_SECONDS:
        await asyncio.sleep(LOOK_SECONDS)
        silent_for, before = (
            (silent_for + LOOK_SECONDS if len(tally.emitted) == before else 0.0),
            len(tally.emitted),
        )
        if give_up_p95 is not None and tally.latest_p95() > give_up_p95:
            return
    if tally.unfinished:
        tally.faults.append(f"{tally.unfinished} streams did not come to their end")


def as_job(given: dict[str, Any]) -> Job:
    return Job(**given | {"seats": [Seat(**seat) for seat in given["seats"]]})


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(asyncio.run(listen(as_job(json.load(sys.stdin)))))))
