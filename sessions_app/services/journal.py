"""Appends batches of events for many turns in one transaction: the hot path of every streamed token.

Written in SQL because the ORM costs more than the inserts. Both engines refuse a stale epoch inside the
transaction; PostgreSQL passes over a session that somebody else has locked, and its events wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import ModuleType
from typing import Any

from django.db import connection
from django.utils import timezone

from sessions_app.models import EventKind, SessionEvent
from sessions_app.services import journal_postgresql, journal_sqlite
from sessions_app.services.transactions import one_transaction
from sessions_app.services.turn_lease import Lease, lease_end

# What a turn's owner appends by itself; how it ends or is handed on is told by services, under lock.
OWNERS_KINDS = (EventKind.TEXT, EventKind.REASONING, EventKind.TOOL_CALL, EventKind.TOOL_RESULT)


@dataclass(frozen=True)
class Append:
    """What one turn wants to add: (kind, canonical payload) pairs."""

    lease: Lease
    events: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Batch:
    """What became of it: first seq by turn id, turns whose epoch is stale, turns whose session is busy."""

    at: datetime
    first_seqs: dict[int, int] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    busy: set[int] = field(default_factory=set)


@one_transaction
def append_batch(appends: Sequence[Append]) -> Batch:
    """Commits everything that may be committed, and renews those leases; at most one append for a turn."""
    batch = Batch(at=timezone.now())
    appends = [append for append in appends if append.events]
    with connection.cursor() as cursor:
        accepted = _accepted(cursor, appends, batch) if appends else []
        if accepted:
            _insert(cursor, accepted, batch)
    return batch


def _accepted(cursor: Any, appends: list[Append], batch: Batch) -> list[Append]:
    """Those whose epoch stands. Nobody else can raise it before the commit, so this stays true."""
    turns, busy = _engine().locked_turns(cursor, [append.lease.turn_id for append in appends])
    batch.busy.update(busy)
    accepted = []
    for append in appends:
        turn_id = append.lease.turn_id
        epoch, state, last_seq = turns.get(turn_id, (None, None, 0))
        if epoch == append.lease.epoch and state == "running":
            batch.first_seqs[turn_id] = last_seq + 1
            accepted.append(append)
        elif turn_id not in batch.busy:
            batch.refused.add(turn_id)
    return accepted


def _insert(cursor: Any, accepted: list[Append], batch: Batch) -> None:
    rows = [
        (append.lease.session_id, seq, kind, append.lease.message_id, payload)
        for append in accepted
        for seq, (kind, payload) in enumerate(append.events, batch.first_seqs[append.lease.turn_id])
    ]
    _engine().insert(
        cursor,
        rows,
        at=batch.at,
        ends={session_id: seq for session_id, seq, *_ in rows},
        turn_ids=[append.lease.turn_id for append in accepted],
        until=lease_end(batch.at),
    )


def _engine() -> ModuleType:
    return journal_sqlite if connection.vendor == "sqlite" else journal_postgresql


def written_as(lease: Lease, events: Sequence[tuple[str, str]], *, after: int) -> tuple[int, datetime] | None:
    """Where these very events stand in the log after `after`, and since when; None where they do not.

    Asked when a commit's answer was lost. Whoever took the turn over meanwhile may have appended something
    else to its message, which must not be mistaken for them.
    """
    found = SessionEvent.objects.filter(
        session_id=lease.session_id, seq__gt=after, message_id=lease.message_id
    )
    rows = found.filter(kind__in=OWNERS_KINDS).order_by("seq")[: len(events)]
    kept = list(rows.values_list("seq", "kind", "payload", "at"))
    if [(kind, payload) for _, kind, payload, _ in kept] != list(events):
        return None
    first, *_, at = kept[0]
    is_one_batch = all(seq == number and then == at for number, (seq, _, _, then) in enumerate(kept, first))
    return (first, at) if is_one_batch else None
