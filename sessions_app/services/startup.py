"""What must be true of the database before anything is served; what is not is said with what to do."""

from __future__ import annotations

from pathlib import Path

import structlog
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from sessions_app import guards
from sessions_app.errors import StartupRefused
from sessions_app.services.instance import (
    record_mark,
    refuse_missing_database,
    refuse_older_database,
)
from sessions_app.services.sqlite_files import first_damage

NETWORK_FILE_SYSTEMS = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "fuse.sshfs",
    "9p",
    "afs",
    "glusterfs",
    "ceph",
}

CHECK_SECONDS = 2

log = structlog.get_logger(__name__)


def check_startup() -> None:
    """Returns when it is safe to serve; else raises StartupRefused and has changed nothing."""
    try:
        _check()
    except OperationalError as error:
        raise StartupRefused(
            f"The database cannot be reached: {str(error).strip().splitlines()[0]}. Nothing was changed."
        ) from error
    except DatabaseError as error:
        raise _damaged(str(error)) from error


def _check() -> None:
    refuse_missing_database()
    _refuse_damaged_file()
    _refuse_unapplied_migrations()
    _refuse_changed_guards()
    refuse_older_database()
    _warn_of_network_file_system()
    record_mark()


def _damaged(how: str) -> StartupRefused:
    return StartupRefused(
        f"The database is damaged ({' '.join(how.split())}). Bring the last backup back with: "
        "manage.py restore_backup FILE --replace. It keeps the damaged one aside."
    )


def _refuse_damaged_file() -> None:
    """As much of SQLite's own check as fits into the time a start may take; `verify` makes it in full."""
    if connection.vendor == "sqlite" and (damage := first_damage(connection, seconds=CHECK_SECONDS)):
        raise _damaged(damage)


def _refuse_unapplied_migrations() -> None:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise StartupRefused(
            f"The database is {len(waiting)} migrations behind this version. Take a backup, then run: "
            "manage.py migrate"
        )


def _refuse_changed_guards() -> None:
    found = guards.differences(connection)
    if found:
        raise StartupRefused(
            f"The database's guards are not those of this version: {'; '.join(found[:5])}"
            f"{f' and {len(found) - 5} more' if len(found) > 5 else ''}. Without them history could be "
            "changed, so nothing is served. To put them back run: manage.py migrate"
        )


def _warn_of_network_file_system() -> None:
    if connection.vendor != "sqlite":
        return
    folder = Path(str(connection.settings_dict["NAME"])).absolute().parent
    kind = file_system_of(folder)
    if kind in NETWORK_FILE_SYSTEMS:
        log.warning(
            "sqlite_on_network_file_system",
            folder=str(folder),
            kind=kind,
            advice="SQLite's locks do not work reliably there; use a local disk or PostgreSQL.",
        )


def file_system_of(folder: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """The type of the file system a folder lies on, or nothing where the machine does not say."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return ""
    below = [(Path(point), kind) for _, point, kind, *_ in lines if folder.is_relative_to(point)]
    return max(below, key=lambda found: len(found[0].parts))[1] if below else ""
