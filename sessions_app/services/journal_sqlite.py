"""The journal's statements on SQLite, each one step however many turns it serves.

Python's driver lets go of the interpreter at every step, and beside a busy event loop each return costs up to
half a millisecond: a batch of 200 took 46 ms row by row, and takes 3 ms so.

They go to the driver itself: for a batch of one event Django's way around each statement costs a fifth of the
whole transaction.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_TURNS = """
SELECT json_group_array(json_array(t.id, t.epoch, t.state, s.last_seq)) FROM holdfast_turn t
JOIN holdfast_session s ON s.id = t.session_id WHERE t.id IN (SELECT value FROM json_each(?))"""

_INSERT = """
INSERT INTO holdfast_event (session_id, seq, kind, message_id, payload, at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
    json_extract(value, '$[3]'), json_extract(value, '$[4]'), ?
FROM json_each(?)"""

_LAST_SEQS = """
UPDATE holdfast_session
SET last_seq = (SELECT max(e.seq) FROM holdfast_event e WHERE e.session_id = holdfast_session.id)
WHERE id IN (SELECT value FROM json_each(?))"""

_RENEW = "UPDATE holdfast_turn SET lease_until = ? WHERE id IN (SELECT value FROM json_each(?))"


def locked_turns(cursor: Any, turn_ids: Sequence[int]) -> tuple[dict[int, tuple[int, str, int]], set[int]]:
    """Epoch, state and last seq by turn id. No turn is busy: the transaction has them all."""
    (found,) = _run(cursor, _TURNS, turn_ids).fetchone()
    return {turn_id: (epoch, state, last_seq) for turn_id, epoch, state, last_seq in json.loads(found)}, set()


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
    stored = connection.ops.adapt_datetimefield_value
    _run(cursor, _INSERT, rows, stored(at))
    _run(cursor, _LAST_SEQS, list(ends))
    _run(cursor, _RENEW, turn_ids, stored(until))


def _run(cursor: Any, sql: str, items: Sequence[Any], *values: Any) -> Any:
    """One statement, with a list as its last value. Whoever watches what is executed sees it the usual way."""
    parameters = (*values, _encode(items))
    if connection.execute_wrappers:
        cursor.execute(sql.replace("?", "%s"), parameters)
        return cursor
    with connection.wrap_database_errors:
        return cursor.connection.execute(sql, parameters)
