"""Attacks on sessions: shorten one, archive or activate one without a move, delete or replace one."""

from tests.sessions_app.guards.attack import NEW_ID, REPLACE, Attack, copied, on_sqlite

TABLE = "holdfast_session"
ACTIVE = "id = {active}"
ARCHIVED = "id = {archived}"
ARCHIVE = f"UPDATE {TABLE} SET archived_at = started_at WHERE {ACTIVE}"
ACTIVATE = f"UPDATE {TABLE} SET archived_at = NULL WHERE {ARCHIVED}"


def entry(**changed: str) -> str:
    """An audit entry for a move from the active to the archived session, next in its chain."""
    matching = {
        "number": "number + 1",
        "idempotency_key": "NULL",
        "old_session_id": "{active}",
        "new_session_id": "{archived}",
    }
    return copied("holdfast_audit_entry", "id = {entry}", **matching | changed)


def replacing(**changed: str) -> str:
    return copied(TABLE, ARCHIVED, into=REPLACE, **{"public_id": NEW_ID, "number": "9"} | changed)


NEWEST_ENTRY = "(SELECT max(id) FROM holdfast_audit_entry)"
STAND_ON_IT = f"UPDATE holdfast_conversation SET active_entry_id = {NEWEST_ENTRY} WHERE id = {{conversation}}"

# What there may be instead of a move of this session that is under way.
NO_MOVE_OF_IT = {
    "without an entry": (),
    "by the entry that stands": (entry(), STAND_ON_IT),
    "by an entry of another move": (entry(old_session_id="{archived}", new_session_id="{active}"),),
    "by an entry that moves nothing": (entry(old_session_id="NULL", new_session_id="NULL"),),
    "by an entry of another conversation": (entry(conversation_id="{other}"),),
    "by an entry of another chain": tuple(entry(chain="'forged'", number=number) for number in "123"),
}

ATTACKS = (
    *(
        Attack(
            f"change {column}",
            "holdfast_session_fixed",
            f"UPDATE {TABLE} SET {column} = {value} WHERE {ACTIVE}",
        )
        for column, value in {
            "id": "900",
            "public_id": NEW_ID,
            "conversation_id": "{other}",
            "number": "9",
            "parent_id": "{archived}, parent_seq = 1",
            "parent_seq": "1, parent_id = {archived}",
            "base_digest": "'x'",
            "base_count": "9",
            "started_at": "(SELECT s.started_at FROM holdfast_session s WHERE s.id = {archived})",
        }.items()
    ),
    Attack("lower last_seq", "session_grows", f"UPDATE {TABLE} SET last_seq = last_seq - 1 WHERE {ACTIVE}"),
    Attack("empty a session", "session_grows", f"UPDATE {TABLE} SET last_seq = 0 WHERE {ARCHIVED}"),
    Attack(
        "raise last_seq without an event",
        "session_grows",
        f"UPDATE {TABLE} SET last_seq = last_seq + 1 WHERE {ACTIVE}",
    ),
    Attack(
        "raise last_seq by an event in a temporary table",
        "session_grows",
        f"UPDATE {TABLE} SET last_seq = 900 WHERE {ACTIVE}",
        first=("CREATE TEMPORARY TABLE holdfast_event AS SELECT {active} AS session_id, 900 AS seq",),
    ),
    Attack(
        "forget a sealed message",
        "session_grows",
        f"UPDATE {TABLE} SET sealed_count = sealed_count - 1 WHERE {ACTIVE}",
    ),
    Attack(
        "be born active",
        "session_born_archived",
        copied(TABLE, ARCHIVED, public_id=NEW_ID, number="9", archived_at="NULL"),
        tampered=(ARCHIVE,),
    ),
    *(
        Attack(f"archive {how}", "session_archived_by_move", ARCHIVE, tampered=made)
        for how, made in NO_MOVE_OF_IT.items()
    ),
    *(
        Attack(f"activate {how}", "session_activated_by_move", ACTIVATE, tampered=(ARCHIVE, *made))
        for how, made in NO_MOVE_OF_IT.items()
    ),
    Attack("activate a second one", "session_activated_by_move", ACTIVATE, first=(entry(),)),
    on_sqlite(
        "activate one in place of the active one",
        "session_activated_by_move",
        ACTIVATE.replace("UPDATE", "UPDATE OR REPLACE"),
        first=(entry(),),
    ),
    Attack(
        "be where nothing is",
        "holdfast_session_somewhere",
        copied(TABLE, ARCHIVED, id="0", public_id=NEW_ID, number="9"),
    ),
    Attack("delete an archived session", "holdfast_session_kept", f"DELETE FROM {TABLE} WHERE {ARCHIVED}"),
    Attack("delete the active session", "holdfast_session_kept", f"DELETE FROM {TABLE} WHERE {ACTIVE}"),
    on_sqlite("replace by id", "holdfast_session_not_replaced", replacing(id="id")),
    on_sqlite("replace by public id", "holdfast_session_not_replaced", replacing(public_id="public_id")),
    on_sqlite("replace by number", "holdfast_session_not_replaced", replacing(number="number")),
)
