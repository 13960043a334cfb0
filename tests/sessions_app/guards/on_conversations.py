"""Attacks on the pointer: move it without its own, new, matching entry; and on the conversation itself."""

from tests.sessions_app.guards.attack import NEW_ID, REPLACE, Attack, copied, on_sqlite
from tests.sessions_app.guards.on_sessions import ACTIVATE, ARCHIVE, NEWEST_ENTRY, STAND_ON_IT, entry

TABLE = "holdfast_conversation"
HERE = "id = {conversation}"
# The sessions are as after a move, so that nothing but the entry can be wrong.
MOVED = (ARCHIVE, ACTIVATE)


def move(to: str = "{archived}", by: str = NEWEST_ENTRY) -> str:
    return f"UPDATE {TABLE} SET active_session_id = {to}, active_entry_id = {by} WHERE {HERE}"


def moved(name: str, sql: str, *first: str) -> Attack:
    return Attack(name, "conversation_pointer", sql, first=first, tampered=MOVED)


def replacing(**changed: str) -> str:
    unlike = {"public_id": NEW_ID, "key": "'c'", "active_session_id": "0", "active_entry_id": "0"}
    return copied(TABLE, HERE, into=REPLACE, **unlike | changed)


ATTACKS = (
    moved("move without an entry", f"UPDATE {TABLE} SET active_session_id = {{archived}} WHERE {HERE}"),
    moved("move by the entry that stands", move(by="active_entry_id")),
    Attack(
        "move by an old entry",
        "conversation_pointer",
        move(by=f"{NEWEST_ENTRY} - 1"),
        tampered=(
            *MOVED,
            entry(),
            entry(number="number + 2", old_session_id="{archived}", new_session_id="{active}"),
            STAND_ON_IT,
        ),
    ),
    moved("move by an entry that does not exist", move(by="900")),
    moved("move by an entry of another conversation", move(), entry(conversation_id="{other}")),
    moved("move by an entry that left another session", move(), entry(old_session_id="{other_session}")),
    moved("move by an entry that left none", move(), entry(old_session_id="NULL")),
    moved("move by an entry that went elsewhere", move(), entry(new_session_id="{active}")),
    moved("move by an entry that went nowhere", move(), entry(new_session_id="NULL")),
    moved(
        "move by an entry of another chain",
        move(),
        *(entry(chain="'forged'", number=number) for number in "123"),
    ),
    Attack("move to an archived session", "conversation_pointer", move(), first=(entry(),)),
    Attack(
        "move to another conversation's session",
        "conversation_pointer",
        move(to="{other_session}"),
        first=(entry(new_session_id="{other_session}"),),
    ),
    Attack("move to nowhere", "conversation_pointer", move(to="0", by="0")),
    Attack("change the entry alone", "conversation_pointer", move(to="active_session_id"), first=(entry(),)),
    Attack(
        "begin with somebody's session",
        "conversation_begins_nowhere",
        copied(TABLE, HERE, public_id=NEW_ID, key="'c'", active_entry_id="0"),
    ),
    Attack(
        "begin with somebody's entry",
        "conversation_begins_nowhere",
        copied(TABLE, HERE, public_id=NEW_ID, key="'c'", active_session_id="0"),
    ),
    *(
        Attack(
            f"change {column}",
            "holdfast_conversation_fixed",
            f"UPDATE {TABLE} SET {column} = {value} WHERE {HERE}",
        )
        for column, value in {
            "id": "900",
            "public_id": NEW_ID,
            "workspace_id": "900",
            "key": "'c'",
            "started_at": "(SELECT c.started_at FROM holdfast_conversation c WHERE c.id = {other})",
        }.items()
    ),
    Attack("delete it", "holdfast_conversation_kept", f"DELETE FROM {TABLE} WHERE {HERE}"),
    on_sqlite("replace by id", "holdfast_conversation_not_replaced", replacing(id="id")),
    on_sqlite("replace by public id", "holdfast_conversation_not_replaced", replacing(public_id="public_id")),
    on_sqlite("replace by key", "holdfast_conversation_not_replaced", replacing(key="key")),
)
