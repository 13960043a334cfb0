"""Every guard refuses what it is there for, in its own words, and nothing has changed afterwards."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from sessions_app import guards
from tests.sessions_app.guards import (
    on_conversations,
    on_events,
    on_messages,
    on_people,
    on_permits,
    on_sessions,
    on_the_record,
    on_turns,
)
from tests.sessions_app.guards.attack import ENGINE, Attack
from tests.sessions_app.guards.scene import rows_of_guarded_tables
from tests.sessions_app.guards_lifted import lifted_guards

ATTACKS = [
    attack
    for table in (
        on_events,
        on_messages,
        on_sessions,
        on_conversations,
        on_turns,
        on_the_record,
        on_permits,
        on_people,
    )
    for attack in table.ATTACKS
    if attack.is_for_this_engine
]
GUARDS = {guard.name: guard for guard in guards.GUARDS if guard.engine in ("both", ENGINE)}
# PostgreSQL has this one too, written for whole statements.
GUARDS["event_dense"] = next(guard for guard in guards.GUARDS if guard.name == "event_dense")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.guard}: {attack.name}")
def test_the_guard_refuses_it_and_nothing_has_changed(attack: Attack, scene: dict[str, Any]) -> None:
    prepare(attack, scene)
    before = rows_of_guarded_tables()
    with pytest.raises(IntegrityError, match=GUARDS[attack.guard].says), statement():
        execute(attack.sql, scene)
    assert rows_of_guarded_tables() == before


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.guard}: {attack.name}")
def test_without_that_guard_nothing_would_say_so(attack: Attack, scene: dict[str, Any]) -> None:
    """The proof that the test above can fail, and that each guard is needed for its attacks."""
    prepare(attack, scene)
    drop(attack.guard)
    assert GUARDS[attack.guard].says not in what_is_said_about(attack.sql, scene)


def test_every_guard_is_attacked() -> None:
    assert GUARDS.keys() - {attack.guard for attack in ATTACKS} == set()


def test_a_raw_move_with_its_own_new_entry_is_let_through(scene: dict[str, Any]) -> None:
    """The guards refuse what is wrong, not everything."""
    for sql in (
        on_sessions.entry(),
        on_sessions.ARCHIVE,
        on_sessions.ACTIVATE,
        on_conversations.move(),
    ):
        execute(sql, scene)


def prepare(attack: Attack, scene: dict[str, Any]) -> None:
    if attack.tampered:
        with lifted_guards(connection):
            for sql in attack.tampered:
                execute(sql, scene)
    for sql in attack.first:
        execute(sql, scene)


def execute(sql: str, scene: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.format_map(scene))


def what_is_said_about(sql: str, scene: dict[str, Any]) -> str:
    try:
        with transaction.atomic():
            execute(sql, scene)
    except IntegrityError as error:
        return str(error)
    return ""


def statement() -> contextlib.AbstractContextManager[Any]:
    """PostgreSQL needs a savepoint to go on after an error; SQLite goes on, and shows what the statement did."""
    return transaction.atomic() if connection.vendor == "postgresql" else contextlib.nullcontext()


def drop(guard: str) -> None:
    name, table = guards.PREFIX + guard.removeprefix("holdfast_"), GUARDS[guard].table
    with connection.cursor() as cursor:
        on = f" ON {table}" if connection.vendor == "postgresql" else ""
        cursor.execute(f'DROP TRIGGER "{name}"{on}')
