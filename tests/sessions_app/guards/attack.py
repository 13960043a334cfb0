"""What an attack on the log is: SQL that somebody with the application's connection could send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings

ENGINE = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2].replace("sqlite3", "sqlite")


@dataclass(frozen=True)
class Attack:
    """`sql` must be refused by the guard named; `{words}` stand for ids of the scene.

    `first` are statements that nobody refuses, `tampered` ones that only lifted guards allow: they make
    everything fit except the one thing that the guard must notice.
    """

    name: str
    guard: str
    sql: str
    first: tuple[str, ...] = ()
    tampered: tuple[str, ...] = ()
    engine: str = "both"

    def __str__(self) -> str:
        return self.name

    @property
    def is_for_this_engine(self) -> bool:
        return self.engine in ("both", ENGINE)


def on_sqlite(name: str, guard: str, sql: str, **more: tuple[str, ...]) -> Attack:
    return Attack(name, guard, sql, engine="sqlite", **more)


def on_postgresql(name: str, guard: str, sql: str, **more: tuple[str, ...]) -> Attack:
    return Attack(name, guard, sql, engine="postgresql", **more)


def copied(table: str, where: str, *, into: str = "INSERT INTO", steps: Any = (1,), **changed: str) -> str:
    """An insert of a row that is like an existing one, but for what is `changed`; the id is new unless given.
    One row for each of the `steps`, a column that `changed` may use."""
    columns = [column for column in columns_of(table) if column != "id" or "id" in changed]
    columns += [column for column in changed if column not in columns]
    values = ", ".join(changed.get(column, column) for column in columns)
    each = " UNION ALL ".join(f"SELECT {step} AS step" for step in steps)
    rows = f"SELECT {values} FROM {table} CROSS JOIN ({each}) AS steps WHERE {where}"
    return f"{into} {table} ({', '.join(columns)}) {rows}"


def columns_of(table: str) -> list[str]:
    [model] = [model for model in apps.get_models() if model._meta.db_table == table]
    return [field.column for field in model._meta.concrete_fields if field.column]


REPLACE = "INSERT OR REPLACE INTO"
NEW_ID = "'{new_id}'"
