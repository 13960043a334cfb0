"""Guards in SQLite's words: one trigger each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.guards.guard import Guard


def statements(_: BaseDatabaseWrapper, guards: Sequence[Guard], tables: Sequence[str]) -> Iterator[str]:
    """What installs them. There is no TRUNCATE to be guarded against."""
    for guard in guards:
        violated = guard.violated.replace("IS DISTINCT FROM", "IS NOT")
        yield (
            f"CREATE TRIGGER {guard.name} BEFORE {guard.before} ON {guard.table} FOR EACH ROW\n"
            f"WHEN {violated}\nBEGIN SELECT RAISE(ABORT, '{guard.says}'); END"
        )


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Name → definition of every trigger on our tables, ours or not."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'holdfast%'"
        )
        return dict(cursor.fetchall())


def removal(connection: BaseDatabaseWrapper) -> list[str]:
    return [f'DROP TRIGGER "{name}"' for name in installed(connection)]
