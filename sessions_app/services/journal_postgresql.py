"""The journal's statements on PostgreSQL: arrays for the rows, and only sessions that nobody else has locked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

# What is locked is read as it is now, not as it was when the statement began: so the turn is locked too.
_LOCKED_TURNS = """
SELECT t.id, t.epoch, t.state, s.last_seq FROM holdfast_turn t
JOIN holdfast_session s ON s.id = t.session_id WHERE t.id = ANY(%s)
ORDER BY s.id, t.id FOR UPDATE OF s, t SKIP LOCKED"""

_EXISTING_TURNS = "SELECT id FROM holdfast_turn WHERE id = ANY(%s)"

_INSERT = """
INSERT INTO holdfast_event (session_id, seq, kind, message_id, payload, at)
SELECT *, %s FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::text[])"""

_LAST_SEQS_AND_RENEW = """
WITH renewed AS (UPDATE holdfast_turn SET lease_until = %s WHERE id = ANY(%s))
UPDATE holdfast_session s SET last_seq = a.seq
FROM unnest(%s::bigint[], %s::bigint[]) AS a(id, seq) WHERE s.id = a.id"""


def locked_turns(cursor: Any, turn_ids: Sequence[int]) -> tuple[dict[int, tuple[int, str, int]], set[int]]:
    """Epoch, state and last seq by turn id, and the turns that are busy: somebody else has locked them."""
    cursor.execute(_LOCKED_TURNS, [turn_ids])
    turns = {turn_id: (epoch, state, last_seq) for turn_id, epoch, state, last_seq in cursor.fetchall()}
    left_out = [turn_id for turn_id in turn_ids if turn_id not in turns]
    if not left_out:
        return turns, set()
    cursor.execute(_EXISTING_TURNS, [left_out])
    return turns, {turn_id for (turn_id,) in cursor.fetchall()}


def insert(
    cursor: Any,
    rows: Sequence[tuple[int, int, str, int, str]],
    *,
    at: datetime,
    ends: dict[int, int],
    turn_ids: Sequence[int],
    until: datetime,
) -> None:
    """The rows, the new ends of their sessions, and their turns' leases."""
    cursor.execute(_INSERT, [at, *(list(column) for column in zip(*rows, strict=True))])
    cursor.execute(_LAST_SEQS_AND_RENEW, [until, turn_ids, list(ends), list(ends.values())])
