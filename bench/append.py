"""What a journal commit costs: `append_batch` against the bare driver that inserts the same rows."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from bench.drivers import Statement, Write, bare_driver
from bench.tables import milliseconds, print_table
from bench.targets import Target
from bench.timing import medians, seconds_of
from bench.transcripts import COLUMNS, WORDS, Cast, EventRow, cast
from sessions_app.canonical import canonical_json
from sessions_app.models import EventKind, Session
from sessions_app.services.conversations import start_conversation
from sessions_app.services.journal import Append, append_batch
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import Lease, claim_turn, lease_end

# (events, the turns they are spread over)
BATCHES, ROUNDS = ((1, 1), (10, 1), (100, 1), (1_000, 1), (10, 10), (100, 50), (1_000, 50)), 100
QUICK_BATCHES, QUICK_ROUNDS = ((1, 1), (100, 10)), 3
LIMIT = 2.5
PRODUCT, BACK_TO_BACK, INSERTS, AND_POINTERS, ARRAYS = (
    "append_batch", "back to back", "bare inserts", "and pointers", "as arrays",
)  # fmt: skip

EVENT = (EventKind.TEXT.value, canonical_json({"text": WORDS}))
INSERT = f"INSERT INTO holdfast_event ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)"
INSERT_ARRAYS = (
    f"INSERT INTO holdfast_event ({COLUMNS}) SELECT * FROM "
    "unnest(%s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::timestamptz[])"
)
LAST_SEQ = "UPDATE holdfast_session SET last_seq = %s WHERE id = %s"
RENEW = "UPDATE holdfast_turn SET lease_until = %s WHERE id = %s"

Batch = tuple[int, int]


@dataclass
class Streams:
    """Turns that run, each in a session of its own that only one trial writes to."""

    leases: list[Lease]
    last_seqs: dict[int, int] = field(default_factory=dict)

    def appends(self, batch: Batch) -> list[Append]:
        events, turns = batch
        return [Append(lease, [EVENT] * (events // turns)) for lease in self.leases[:turns]]

    def rows(self, appends: Sequence[Append]) -> list[EventRow]:
        """The batch as rows for the driver, which has to know their numbers itself."""
        at, rows = stored(timezone.now()), []
        for append in appends:
            lease, last = append.lease, self.last_seqs[append.lease.session_id]
            for seq, (kind, payload) in enumerate(append.events, last + 1):
                rows.append((lease.session_id, seq, kind, lease.message_id, payload, at))
            self.last_seqs[lease.session_id] = last + len(append.events)
        return rows

    def pointers(self, appends: Sequence[Append]) -> list[Statement]:
        """What a batch moves besides, after its rows were made."""
        until = stored(lease_end(timezone.now()))
        ids = [append.lease.session_id for append in appends]
        return [
            (LAST_SEQ, [(self.last_seqs[session_id], session_id) for session_id in ids]),
            (RENEW, [(until, append.lease.turn_id) for append in appends]),
        ]


def measure(*, quick: bool) -> list[Target]:
    batches, rounds = (QUICK_BATCHES, QUICK_ROUNDS) if quick else (BATCHES, ROUNDS)
    people, most = cast(), max(turns for _, turns in batches)
    with bare_driver() as write:
        variants = bare_variants(people, most, write) | product_variants(people, most)
        trials = {
            (name, batch): functools.partial(trial, batch)
            for batch in batches
            for name, trial in variants.items()
        }
        return report(medians(trials, rounds=rounds), batches, list(variants), rounds)


def product_variants(people: Cast, turns: int) -> dict[str, Callable[[Batch], float]]:
    streams = running_streams(people, turns)

    def after_rest(batch: Batch) -> float:
        appends = streams.appends(batch)
        return seconds_of(lambda: append_batch(appends))

    def back_to_back(batch: Batch) -> float:
        appends = streams.appends(batch)
        append_batch(appends)
        return seconds_of(lambda: append_batch(appends), idle=0)

    return {PRODUCT: after_rest, BACK_TO_BACK: back_to_back}


def bare_variants(people: Cast, turns: int, write: Write) -> dict[str, Callable[[Batch], float]]:
    """The rows are ready before the clock starts. Without pointers the sessions are left behind their logs."""

    def variant(prepared: Callable[[Streams, list[Append]], list[Statement]]) -> Callable[[Batch], float]:
        streams = running_streams(people, turns)

        def trial(batch: Batch) -> float:
            statements = prepared(streams, streams.appends(batch))
            return seconds_of(lambda: write(statements))

        return trial

    variants = {
        INSERTS: variant(lambda streams, appends: [(INSERT, streams.rows(appends))]),
        AND_POINTERS: variant(
            lambda streams, appends: [(INSERT, streams.rows(appends)), *streams.pointers(appends)]
        ),
    }
    if connection.vendor == "postgresql":
        variants[ARRAYS] = variant(
            lambda streams, appends: [(INSERT_ARRAYS, [columns_of(streams.rows(appends))])]
        )
    return variants


def report(
    found: dict[tuple[str, Batch], float], batches: Sequence[Batch], variants: list[str], rounds: int
) -> list[Target]:
    """The target compares with the fastest way the driver has to insert the rows and nothing else."""
    targets, rows = [], []
    for batch in batches:
        fastest = min(found[name, batch] for name in (INSERTS, ARRAYS) if name in variants)
        target = Target(f"append_batch, {described(batch)}", found[PRODUCT, batch] / fastest, LIMIT)
        rows.append(
            [described(batch), *(milliseconds(found[name, batch]) for name in variants), *target.cells]
        )
        targets.append(target)
    print_table(
        "What a journal commit costs",
        ["one batch", *variants, "ratio", "target", ""],
        rows,
        f"Medians of {rounds} rounds; the ratio compares append_batch with the driver's fastest bare inserts.",
    )
    return targets


def described(batch: Batch) -> str:
    events, turns = batch
    return f"{events:,} {'event' if events == 1 else 'events'}, {turns} {'turn' if turns == 1 else 'turns'}"


def running_streams(people: Cast, turns: int) -> Streams:
    streams = Streams([running_turn(people) for _ in range(turns)])
    sessions = Session.objects.filter(pk__in=[lease.session_id for lease in streams.leases])
    streams.last_seqs.update(sessions.values_list("pk", "last_seq"))
    return streams


def running_turn(people: Cast) -> Lease:
    conversation = start_conversation(people.team, by=people.alice, agent=people.echo)
    turn = post_message(conversation, by=people.alice, text="Go on.", client_id=uuid.uuid4().hex).turn
    assert turn is not None
    return claim_turn(turn, owner="bench")


def columns_of(rows: list[EventRow]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def stored(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)
