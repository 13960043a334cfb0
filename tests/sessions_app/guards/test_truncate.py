"""PostgreSQL's TRUNCATE fires no row trigger, so every guarded table has one for the statement."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from sessions_app import guards
from tests.sessions_app.guards.scene import rows_of_guarded_tables

ABOVE_THE_HISTORY = ("holdfast_workspace", "holdfast_user", "holdfast_agent")


@pytest.mark.parametrize("table", [*guards.GUARDED_TABLES, *ABOVE_THE_HISTORY])
@pytest.mark.parametrize("how", ["", " RESTART IDENTITY", " CASCADE"])
def test_no_guarded_table_is_truncated_also_not_by_way_of_another(
    table: str, how: str, scene: dict[str, Any]
) -> None:
    before = rows_of_guarded_tables()
    # Without CASCADE PostgreSQL itself refuses a table that another one refers to.
    refusal = "never truncated" if how == " CASCADE" else "never truncated|cannot truncate a table referenced"
    with pytest.raises(DatabaseError, match=refusal), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {table}{how}")
    assert rows_of_guarded_tables() == before


def test_all_of_them_at_once_are_not_truncated(scene: dict[str, Any]) -> None:
    before = rows_of_guarded_tables()
    with pytest.raises(IntegrityError, match="never truncated"), transaction.atomic():
        _execute(f"TRUNCATE {', '.join(connection.introspection.django_table_names())}")
    assert rows_of_guarded_tables() == before


def test_without_the_guard_a_truncation_would_be_done(scene: dict[str, Any]) -> None:
    _execute("DROP TRIGGER hf_no_truncate_event ON holdfast_event")
    connection.check_constraints()
    _execute("TRUNCATE holdfast_event")
    assert rows_of_guarded_tables()["holdfast_event"] == []


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
