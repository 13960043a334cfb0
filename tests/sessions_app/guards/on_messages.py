"""Attacks on what people read: change, delete or replace a message."""

from tests.sessions_app.guards.attack import NEW_ID, REPLACE, Attack, copied, on_postgresql, on_sqlite

TABLE = "holdfast_message"
SEALED = "id = {sealed}"
REPLY = "id = {reply}"
OPEN = "id = {open}"
SEAL = "seal_number = 99, content = '\"x\"', digest = 'x'"


def replacing(**changed: str) -> str:
    """A row that differs from the reply in all that is unique, but for what `changed` says."""
    unlike = {"public_id": NEW_ID, "first_seq": "900", "sealed_seq": "901", "seal_number": "99"}
    return copied(TABLE, REPLY, into=REPLACE, **unlike | changed)


def pointing(column: str) -> str:
    """A second message that supersedes or continues the one that another already does."""
    return replacing(**{column: "{reply}"})


ATTACKS = (
    Attack("change a sealed text", "message_sealed", f"UPDATE {TABLE} SET content = '\"x\"' WHERE {SEALED}"),
    Attack("change a digest", "message_sealed", f"UPDATE {TABLE} SET digest = 'x' WHERE {SEALED}"),
    Attack(
        "open a sealed message",
        "message_sealed",
        f"UPDATE {TABLE} SET sealed_seq = NULL, seal_number = NULL, content = '', digest = '' WHERE {SEALED}",
    ),
    Attack("change every sealed message by nothing", "message_sealed", f"UPDATE {TABLE} SET digest = digest"),
    on_postgresql(
        "upsert",
        "message_sealed",
        copied(TABLE, SEALED, id="id") + " ON CONFLICT (id) DO UPDATE SET content = '\"x\"'",
    ),
    *(
        Attack(
            f"change {column} while it is open",
            "holdfast_message_fixed",
            f"UPDATE {TABLE} SET {column} = {value} WHERE {OPEN}",
        )
        for column, value in {
            "id": "900",
            "public_id": NEW_ID,
            "conversation_id": "{other}",
            "session_id": "{archived}",
            "role": "'person'",
            "author_id": "{alice}",
            "agent_id": "NULL",
            "client_id": "'x'",
            "supersedes_id": "{sealed}",
            "continues_id": "{sealed}",
            "first_seq": "first_seq + 1",
            "posted_at": "(SELECT m.posted_at FROM holdfast_message m WHERE m.id = {sealed})",
        }.items()
    ),
    Attack("delete a sealed message", "holdfast_message_kept", f"DELETE FROM {TABLE} WHERE {SEALED}"),
    Attack("delete an open message", "holdfast_message_kept", f"DELETE FROM {TABLE} WHERE {OPEN}"),
    on_sqlite("replace by id", "holdfast_message_not_replaced", replacing(id="id")),
    on_sqlite("replace by public id", "holdfast_message_not_replaced", replacing(public_id="public_id")),
    on_sqlite("replace by first seq", "holdfast_message_not_replaced", replacing(first_seq="first_seq")),
    on_sqlite("replace by sealed seq", "holdfast_message_not_replaced", replacing(sealed_seq="sealed_seq")),
    on_sqlite(
        "replace by client id",
        "holdfast_message_not_replaced",
        copied(TABLE, SEALED, into=REPLACE, public_id=NEW_ID, first_seq="900", sealed_seq="901"),
    ),
    on_sqlite("replace a successor", "holdfast_message_not_replaced", pointing("supersedes_id")),
    on_sqlite(
        "replace a continuation",
        "holdfast_message_not_replaced",
        pointing("continues_id"),
        first=(
            copied(
                TABLE,
                REPLY,
                public_id="'{another_id}'",
                first_seq="800",
                sealed_seq="801",
                continues_id="{reply}",
            ),
        ),
    ),
    on_sqlite(
        "upsert",
        "holdfast_message_not_replaced",
        copied(TABLE, SEALED, id="id") + " ON CONFLICT DO UPDATE SET content = '\"x\"'",
    ),
    on_sqlite(
        "seal over another seal",
        "message_not_overwritten",
        f"UPDATE OR REPLACE {TABLE} SET {SEAL}, sealed_seq = (SELECT m.sealed_seq FROM {TABLE} m"
        f" WHERE m.{REPLY}) WHERE {OPEN}",
    ),
)
