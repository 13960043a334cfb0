"""The promises the database itself holds (P2, P3), as triggers for SQLite and PostgreSQL.

A guard is a condition that must never be true of a row about to be written. The same condition serves both
engines; only its wrapping differs. `install` puts them in, `differences` says how a database departs from them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType

from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.guards import postgresql, sqlite
from sessions_app.guards.guard import PREFIX, Guard
from sessions_app.guards.log import EVENTS, MESSAGES, TURNS
from sessions_app.guards.people import MEMBERSHIPS
from sessions_app.guards.pointers import CHECKPOINTS, CONVERSATIONS, SESSIONS
from sessions_app.guards.record import AUDIT_LOG, PERMITS, TOOL_LISTINGS

__all__ = ["GUARDED_TABLES", "GUARDS", "PREFIX", "differences", "install", "install_where_possible", "remove"]

GUARDS: tuple[Guard, ...] = (
    *EVENTS,
    *MESSAGES,
    *SESSIONS,
    *CONVERSATIONS,
    *TURNS,
    *CHECKPOINTS,
    *AUDIT_LOG,
    *PERMITS,
    *TOOL_LISTINGS,
    *MEMBERSHIPS,
)
GUARDED_TABLES = tuple(dict.fromkeys(guard.table for guard in GUARDS))


def install(connection: BaseDatabaseWrapper) -> None:
    """Afterwards exactly the guards of this package stand in the database."""
    remove(connection)
    with connection.cursor() as cursor:
        for statement in _statements(connection):
            cursor.execute(statement)


def install_where_possible(connection: BaseDatabaseWrapper) -> None:
    """Installs them unless a table is missing, as after a migration back to the beginning."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    if tables.issuperset(GUARDED_TABLES):
        install(connection)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take all guards out: only for the time of a migration, whose table rebuilds cannot live with them."""
    with connection.cursor() as cursor:
        for statement in _engine(connection).removal(connection):
            cursor.execute(statement)


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """How the installed guards differ from the guards in the code; empty when they are the same."""
    expected, installed = _expected(connection), _installed(connection)
    return [
        *(f"guard {name} is missing" for name in sorted(expected.keys() - installed.keys())),
        *(f"guard {name} is not one of ours" for name in sorted(installed.keys() - expected.keys())),
        *(
            f"guard {name} is not as it was written"
            for name in sorted(expected.keys() & installed.keys())
            if expected[name] != installed[name]
        ),
    ]


def _expected(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Trigger name → its definition, as the database's own catalogue will show it."""
    found = {}
    for statement in _statements(connection):
        if match := re.match(r"CREATE TRIGGER (\w+) ", statement):
            found[match[1]] = _squeezed(statement)
        elif match := re.match(r"CREATE FUNCTION (\w+)\(\).*?\$\$(.*)\$\$", statement, re.DOTALL):
            found[match[1] + "()"] = _squeezed(match[2])
    return found


def _installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    installed: dict[str, str] = _engine(connection).installed(connection)
    return {name: _squeezed(sql) for name, sql in installed.items()}


def _statements(connection: BaseDatabaseWrapper) -> list[str]:
    vendor = connection.vendor
    guards = [
        replace(guard, name=PREFIX + guard.name.removeprefix("holdfast_"))
        for guard in GUARDS
        if guard.engine in ("both", vendor)
    ]
    return list(_engine(connection).statements(connection, guards, GUARDED_TABLES))


def _engine(connection: BaseDatabaseWrapper) -> ModuleType:
    return sqlite if connection.vendor == "sqlite" else postgresql


def _squeezed(sql: str) -> str:
    return " ".join(sql.split())
