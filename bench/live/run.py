"""From the agent to the reader: directly, through Holdfast without its journal, and through Holdfast as it is."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from bench.live import report
from bench.live.disk import measure_flush
from bench.live.plan import Plan, Step
from bench.live.processes import AS_IT_IS, changed
from bench.live.session import measure_session
from bench.live.trial import LATE_SECONDS, Trial, read_directly, read_through
from bench.targets import Target

TOKENS_A_SECOND = 50
WAYS = (report.DIRECT, report.UNSAVED, report.SAVED)


@dataclass(frozen=True)
class Size:
    """How much of everything a run takes."""

    loads: tuple[int, ...]
    slow: int
    seconds: float
    climb: tuple[Step, ...]
    climbing: int


FULL = Size((1, 50, 200), 50, 8.0, tuple((rate, 3.0) for rate in range(5_000, 50_001, 5_000)), 200)
QUICK = Size((3,), 3, 2.0, ((200, 1.5), (400, 1.0)), 4)


def measure(*, quick: bool) -> list[Target]:
    size = QUICK if quick else FULL
    collect_static_files()
    flush = measure_flush(settings.DATA_DIR)
    loads = {streams: side_by_side(steady(streams, size.seconds)) for streams in size.loads}
    loads[size.slow][report.SLOW] = read_through(changed("slow_disk"), steady(size.slow, size.seconds))
    targets = report.print_loads(loads, flush)
    report.print_climbs({name: climb(size, name) for name in WAYS}, streams=size.climbing)
    measure_session(quick=quick)
    return targets


def steady(streams: int, seconds: float) -> Plan:
    return Plan(uuid.uuid4().hex, streams, ((streams * TOKENS_A_SECOND, seconds),))


def side_by_side(plan: Plan) -> dict[str, Trial]:
    """One after the other and close together: a noisy moment of the machine falls on few of them."""
    return {name: through(name, plan) for name in WAYS}


def climb(size: Size, name: str) -> Trial:
    """Faster and faster, until tokens come too late."""
    plan = Plan(uuid.uuid4().hex, size.climbing, size.climb)
    return through(name, plan, give_up_p95=LATE_SECONDS)


def through(name: str, plan: Plan, *, give_up_p95: float | None = None) -> Trial:
    match name:
        case report.DIRECT:
            return read_directly(plan, give_up_p95=give_up_p95)
        case report.UNSAVED:
            return read_through(changed("without_journal"), plan, saves=False, give_up_p95=give_up_p95)
        case _:
            return read_through(AS_IT_IS, plan, give_up_p95=give_up_p95)


def collect_static_files() -> None:
    """A server without its style sheets does not start."""
    if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        call_command("collectstatic", interactive=False, verbosity=0)
