"""Looks into the log after a run: how it was written, and whether every token is there, once and in order."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from bench.live.plan import Plan
from bench.live.sockets import Seat
from sessions_app.models import EventKind, SessionEvent, Turn
from sessions_app.models.turn import TurnQuerySet
from sessions_app.services.ending import stop_turn

END_SECONDS = 60
LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Journal:
    commits: float
    rows: float


def journal_between(seats: Sequence[Seat], begun: float, ended: float) -> Journal:
    """Commits and rows a second between two moments of the monotonic clock: one batch has one time."""
    offset = timezone.now() - timedelta(seconds=time.monotonic())
    span = (offset + timedelta(seconds=begun), offset + timedelta(seconds=ended))
    events = _texts(seats).filter(at__range=span)
    seconds = ended - begun
    return Journal(events.values("at").distinct().count() / seconds, events.count() / seconds)


def faults_in_log(seats: Sequence[Seat], plan: Plan) -> list[str]:
    """What people would read must be exactly what was emitted."""
    found: dict[str, list[int]] = {seat.session: [] for seat in seats}
    texts = _texts(seats).order_by("session_id", "seq").values_list("session__public_id", "payload")
    for session, payload in texts.iterator():
        tokens = json.loads(payload)["text"].split()
        found[str(session)] += [int(token.partition(":")[0]) for token in tokens]
    expected = list(range(plan.tokens))
    return [
        f"the log of {session} is not what was emitted" for session, got in found.items() if got != expected
    ]


def wait_for_ends(seats: Sequence[Seat]) -> None:
    """Until every turn has ended and is sealed."""
    until = time.monotonic() + END_SECONDS
    while _turns(seats).live().exists():
        if time.monotonic() > until:
            raise AssertionError("turns did not come to their end")
        time.sleep(LOOK_SECONDS)


def stop_all(seats: Sequence[Seat]) -> None:
    """Ends what a run that was given up has left behind, so that nobody goes on with it."""
    for turn in _turns(seats).live():
        stop_turn(turn, by=None)


def _turns(seats: Sequence[Seat]) -> TurnQuerySet:
    return Turn.objects.filter(session__public_id__in=[seat.session for seat in seats])


def _texts(seats: Sequence[Seat]) -> QuerySet[SessionEvent]:
    sessions = [seat.session for seat in seats]
    return SessionEvent.objects.filter(session__public_id__in=sessions, kind=EventKind.TEXT)
