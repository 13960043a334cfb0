"""Looks into a backup: is it one of this version, and is everything in it in order?"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from sessions_app.errors import BackupRefused
from sessions_app.services import postgresql_programs, sqlite_files
from sessions_app.services.instance import TABLE
from sessions_app.services.verify import Report, verify


@contextlib.contextmanager
def opened_backup(file: Path) -> Iterator[str]:
    """The alias under which a backup can be read: the file itself, or a temporary database made of it."""
    look = sqlite_files.opened if connection.vendor == "sqlite" else postgresql_programs.restored_elsewhere
    with look(file) as alias:
        yield alias


def check_backup(alias: str, file: Path) -> Report:
    """The report of a verification; refused when this version cannot read it."""
    try:
        reason = _why_unreadable(alias)
    except DatabaseError as error:
        raise BackupRefused(f"{file} is damaged ({str(error).strip()}); nothing was changed.") from error
    if reason is not None:
        raise BackupRefused(f"{file} {reason}; nothing was changed.")
    return verify(using=alias)


def _why_unreadable(alias: str) -> str | None:
    if TABLE not in connections[alias].introspection.table_names():
        return "is a database, but not one of Holdfast"
    executor = MigrationExecutor(connections[alias])
    if set(executor.loader.applied_migrations) - set(executor.loader.graph.nodes):
        return "was made by a newer version; update first"
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        return (
            f"was made by an older version ({len(waiting)} migrations behind): use that version, then update"
        )
    return None
