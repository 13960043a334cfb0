"""What the tables themselves refuse, also while no guard stands: as in the middle of a migration."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from sessions_app import guards
from tests.sessions_app.guards.attack import NEW_ID, copied
from tests.sessions_app.guards.on_permits import THE_PERMIT, permit, purge_of
from tests.sessions_app.guards.on_sessions import entry

MODELS = [model for model in apps.get_models() if model._meta.db_table in guards.GUARDED_TABLES]
CONSTRAINTS = {
    constraint.name: (model, constraint) for model in MODELS for constraint in model._meta.constraints
}


def message(where: str = "id = {sealed}", **changed: str) -> str:
    unlike = {
        "public_id": NEW_ID,
        "first_seq": "900",
        "sealed_seq": "901",
        "client_id": "'x'" if where == "id = {sealed}" else "NULL",
    }
    return copied("holdfast_message", where, **unlike | changed)


def turn(where: str = "id = {ended}", **changed: str) -> str:
    return copied("holdfast_turn", where, **{"public_id": NEW_ID, "reply_id": "NULL"} | changed)


def session(**changed: str) -> str:
    return copied("holdfast_session", "id = {archived}", **{"public_id": NEW_ID, "number": "9"} | changed)


def conversation(**changed: str) -> str:
    return copied("holdfast_conversation", "id = {conversation}", public_id=NEW_ID, **changed)


FIRST_EVENT = "session_id = {active} AND seq = 1"

REFUSED = {
    "one_conversation_per_key": [conversation()],
    "conversation_answers_known": [conversation(key="'c'", answers="'never'")],
    "conversation_openness_known": [conversation(key="'c'", openness="'ajar'")],
    "deleted_conversation_is_archived": [conversation(key="'c'", deleted_at="started_at")],
    "one_session_per_number": [session(number="1")],
    "one_active_session": [session(archived_at="NULL")],
    "session_id_is_somewhere": [session(id="0")],
    "fork_names_parent_and_seq": [session(parent_seq="1")],
    "event_seq_starts_at_one": [copied("holdfast_event", FIRST_EVENT, seq="0")],
    "event_kind_known": [copied("holdfast_event", FIRST_EVENT, seq="900", kind="'x'")],
    "one_message_per_first_seq": [message(first_seq="first_seq")],
    "one_message_per_sealed_seq": [message(sealed_seq="sealed_seq")],
    "one_message_per_client_id": [message(client_id="client_id")],
    "one_successor_per_message": [message("id = {reply}", supersedes_id="{reply}")],
    "one_continuation_per_message": [
        message("id = {reply}", continues_id="{reply}"),
        message(
            "id = {reply}",
            continues_id="{reply}",
            public_id="'{another_id}'",
            first_seq="800",
            sealed_seq="801",
        ),
    ],
    "message_has_its_author": [message(author_id="NULL")],
    "message_is_open_or_sealed": [message(digest="''")],
    "one_running_turn_per_session": [turn("id = {running}", reply_id="{sealed}")],
    "one_turn_per_superseded": [turn("id = {second}")],
    "one_turn_per_continued": [
        turn(continues_id="{reply}"),
        turn(continues_id="{reply}", public_id="'{another_id}'"),
    ],
    "turn_state_known": [turn(state="'x'")],
    "running_turn_has_reply_and_lease": [
        turn("id = {other_turn}", state="'running'", ended_at="NULL", reply_id="{sealed}")
    ],
    "ended_turn_says_when": [turn(ended_at="NULL")],
    "checkpoint_kind_known": [
        copied("holdfast_checkpoint", "id = {checkpoint}", public_id=NEW_ID, kind="'x'")
    ],
    "one_audit_entry_per_number": [entry(number="number")],
    "one_audit_entry_per_key": [entry(idempotency_key="idempotency_key")],
    "entry_id_is_somewhere": [entry(id="0")],
    "audit_trigger_known": [entry(trigger="'recovery'")],
    "permit_cannot_be_committed": [
        purge_of("{other}"),
        permit("{other}"),
        f"UPDATE holdfast_purge_permit SET outlives_id = entry_id WHERE id = {THE_PERMIT}",
    ],
    "one_membership_per_person": [copied("holdfast_membership", "id = {owner}")],
    "membership_role_known": [
        copied("holdfast_membership", "id = {owner}", user_id="{stranger}", role="'x'")
    ],
}

# So that every table has two rows that could be given one name.
SECOND_ROWS = (
    copied("holdfast_checkpoint", "id = {checkpoint}", public_id=NEW_ID),
    copied("holdfast_tool_listing", "id = {listing}", public_id=NEW_ID),
    purge_of("{other}"),
    permit("{other}"),
    permit("{conversation}"),
)


@pytest.mark.parametrize("name", REFUSED)
def test_the_table_refuses_it_without_any_guard(name: str, scene: dict[str, Any]) -> None:
    *first, last = REFUSED[name]
    guards.remove(connection)
    for sql in first:
        execute(sql, scene)
    with pytest.raises(IntegrityError, match=words_of(name)), transaction.atomic():
        execute(last, scene)


def test_every_constraint_of_a_guarded_table_is_attacked() -> None:
    assert REFUSED.keys() == CONSTRAINTS.keys()


@pytest.mark.parametrize(
    ("model", "column"),
    [
        (model, field.column)
        for model in MODELS
        for field in model._meta.concrete_fields
        if field.unique and field.column and not isinstance(field, models.AutoField)
    ],
)
def test_what_names_a_row_names_only_one(
    model: type[models.Model], column: str, scene: dict[str, Any]
) -> None:
    table = model._meta.db_table
    guards.remove(connection)
    for sql in SECOND_ROWS:
        execute(sql, scene)
    lowest = f"(SELECT {column} FROM {table} WHERE {column} IS NOT NULL ORDER BY id LIMIT 1)"
    with pytest.raises(IntegrityError, match=column), transaction.atomic():
        execute(f"UPDATE {table} SET {column} = {lowest} WHERE id = (SELECT max(id) FROM {table})", scene)


def test_two_events_cannot_have_one_number(scene: dict[str, Any]) -> None:
    guards.remove(connection)
    with pytest.raises(IntegrityError, match="seq"), transaction.atomic():
        execute(copied("holdfast_event", FIRST_EVENT), scene)


def words_of(name: str) -> str:
    """A constraint's name; SQLite names the columns instead where a whole index is unique."""
    model, constraint = CONSTRAINTS[name]
    if not isinstance(constraint, models.UniqueConstraint):
        return name
    columns = [model._meta.get_field(field) for field in constraint.fields]
    listed = ", ".join(f"{model._meta.db_table}.{field.column}" for field in columns)  # type: ignore[union-attr]
    return f"{name}|{re.escape(listed)}"


def execute(sql: str, scene: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.format_map(scene))
