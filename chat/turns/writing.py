"""Writes one batch of the journal, on the writer's thread and with its own connection."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.db import DatabaseError, connection

from chat.metrics import BATCH_EVENTS, COMMIT_SECONDS
from chat.turns.stream import Entry, Stream
from chat.wire import Piece, event_json
from sessions_app.services.journal import Append, append_batch, written_as
from sessions_app.services.transactions import CANNOT_NOW

log = structlog.get_logger(__name__)

Encoded = dict[Stream, list[tuple[str, str]]]


@dataclass(frozen=True)
class Written:
    """What became of one batch: the pieces that are committed now, and the turns that were refused or busy."""

    pieces: dict[Stream, Piece]
    refused: list[Stream]
    busy: list[Stream]


def write(taken: dict[Stream, list[Entry]], answer_was_lost: bool) -> Written:
    """Commits what can be committed. Raises one of CANNOT_NOW when nothing could; then it is tried again."""
    encoded = {stream: [entry.encoded for entry in entries] for stream, entries in taken.items()}
    try:
        return _written(encoded, answer_was_lost)
    except CANNOT_NOW:
        connection.close_if_unusable_or_obsolete()
        raise


def _written(encoded: Encoded, answer_was_lost: bool) -> Written:
    done = _already_written(encoded) if answer_was_lost else {}
    rest = {stream: events for stream, events in encoded.items() if stream not in done}
    begun = time.perf_counter()
    try:
        written = _append(rest)
    except CANNOT_NOW:
        raise
    except DatabaseError:
        # One of them holds something the database will never take: each is tried alone, and only that one ends.
        written = _append_each(rest)
    COMMIT_SECONDS.observe(time.perf_counter() - begun)
    BATCH_EVENTS.observe(sum(len(events) for events in rest.values()))
    return Written({**done, **written.pieces}, written.refused, written.busy)


def _append(encoded: Encoded) -> Written:
    batch = append_batch([Append(stream.lease, events) for stream, events in encoded.items()])
    pieces = {
        stream: _piece(stream, events, batch.first_seqs[stream.lease.turn_id], batch.at)
        for stream, events in encoded.items()
        if stream.lease.turn_id in batch.first_seqs
    }
    refused = [stream for stream in encoded if stream.lease.turn_id in batch.refused]
    return Written(pieces, refused, [stream for stream in encoded if stream.lease.turn_id in batch.busy])


def _append_each(encoded: Encoded) -> Written:
    """Where the database goes away meanwhile all of it is tried again: what was saved of it, the log says."""
    together = Written({}, [], [])
    for stream, events in encoded.items():
        try:
            alone = _append({stream: events})
        except CANNOT_NOW:
            raise
        except DatabaseError as error:
            log.error("journal_refused", turn=stream.lease.turn_id, error=str(error))
        else:
            together.pieces.update(alone.pieces)
            together.refused.extend(alone.refused)
            together.busy.extend(alone.busy)
    return together


def _already_written(encoded: Encoded) -> dict[Stream, Piece]:
    """A connection that broke during COMMIT leaves it open whether it happened: the log itself says."""
    found = {}
    for stream, events in encoded.items():
        if kept := written_as(stream.lease, events, after=stream.last_seq):
            found[stream] = _piece(stream, events, *kept)
    return found


def _piece(stream: Stream, events: list[tuple[str, str]], first: int, at: datetime) -> Piece:
    items = ",".join(
        event_json(seq, kind, stream.message, at, payload)
        for seq, (kind, payload) in enumerate(events, first)
    )
    return Piece(stream.lease.session_id, stream.session, first, first + len(events) - 1, items)
