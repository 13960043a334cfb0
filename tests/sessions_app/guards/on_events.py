"""Attacks on the log itself: change, delete, replace or misnumber an event."""

from tests.sessions_app.guards.attack import REPLACE, Attack, copied, on_postgresql, on_sqlite

TABLE = "holdfast_event"
FIRST = "session_id = {active} AND seq = 1"
LAST = "session_id = {active} AND seq = {last_seq}"


NEW_SESSION = copied("holdfast_session", "id = {archived}", public_id="'{new_id}'", number="9", last_seq="0")
NEWEST_SESSION = "(SELECT max(id) FROM holdfast_session)"


def numbered(seq: str, *, into: str = "INSERT INTO", **changed: str) -> str:
    return copied(TABLE, FIRST, into=into, seq=seq, **changed)


ATTACKS = (
    Attack("change a payload", "event_fixed", f"UPDATE {TABLE} SET payload = '\"x\"' WHERE {FIRST}"),
    Attack("change nothing at all", "event_fixed", f"UPDATE {TABLE} SET seq = seq WHERE {FIRST}"),
    Attack(
        "move an event to another session",
        "event_fixed",
        f"UPDATE {TABLE} SET session_id = {{archived}}, seq = 900 WHERE {LAST}",
    ),
    on_sqlite("update or ignore", "event_fixed", f"UPDATE OR IGNORE {TABLE} SET kind = 'text'"),
    on_sqlite("update or fail", "event_fixed", f"UPDATE OR FAIL {TABLE} SET kind = 'text'"),
    on_sqlite("update or replace", "event_fixed", f"UPDATE OR REPLACE {TABLE} SET seq = 1 WHERE {LAST}"),
    on_sqlite("move a hidden row id", "event_fixed", f"UPDATE OR REPLACE {TABLE} SET rowid = 1 WHERE {LAST}"),
    on_postgresql(
        "upsert",
        "event_fixed",
        numbered("1") + " ON CONFLICT (session_id, seq) DO UPDATE SET payload = '\"x\"'",
    ),
    Attack("delete the last event", "holdfast_event_kept", f"DELETE FROM {TABLE} WHERE {LAST}"),
    Attack("delete every event", "holdfast_event_kept", f"DELETE FROM {TABLE}"),
    Attack(
        "delete by a permit in a temporary table",
        "holdfast_event_kept",
        f"DELETE FROM {TABLE} WHERE {LAST}",
        first=(
            "CREATE TEMPORARY TABLE holdfast_purge_permit AS SELECT 1 AS id, {conversation} AS conversation_id",
        ),
    ),
    Attack("leave a hole", "event_dense", numbered("{last_seq} + 2")),
    Attack(
        "begin a log at two",
        "event_dense",
        copied(TABLE, FIRST, session_id=NEWEST_SESSION, seq="2"),
        first=(NEW_SESSION,),
    ),
    Attack(
        "begin a log with a hole",
        "event_dense",
        copied(TABLE, FIRST, steps=(1, 3), session_id=NEWEST_SESSION, seq="step"),
        first=(NEW_SESSION,),
    ),
    Attack(
        "hide a hole in many rows",
        "event_dense",
        copied(TABLE, FIRST, steps=(1, 2, 4), seq="{last_seq} + step"),
    ),
    on_sqlite("number one twice", "event_dense", numbered("{last_seq}")),
    on_sqlite("replace the first", "event_dense", numbered("1", into="REPLACE INTO")),
    on_sqlite("replace the last", "event_dense", numbered("{last_seq}", into=REPLACE)),
    on_sqlite("upsert", "event_dense", numbered("1") + " ON CONFLICT DO UPDATE SET payload = '\"x\"'"),
    on_sqlite(
        "replace by the hidden row id",
        "event_not_replaced",
        numbered("{last_seq} + 1", into=REPLACE, rowid="holdfast_event.rowid"),
    ),
)
