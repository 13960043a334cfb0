"""SQLite databases as files: copied while people write, and replaced only when nobody has them open."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.errors import BackupRefused
from sessions_app.services.backup_file import flush, siblings
from sessions_app.services.other_database import other_database

COPY_WAIT_SECONDS = 20
LOCK_WAIT_SECONDS = 2
STEPS_BETWEEN_LOOKS = 10_000


def copy_database(database: Path, draft: Path) -> None:
    """Everything that is committed now, in one file; writers go on meanwhile."""
    try:
        with contextlib.closing(_connect(database, COPY_WAIT_SECONDS)) as connection:
            connection.execute("VACUUM INTO ?", [str(draft)])
    except sqlite3.Error as error:
        raise BackupRefused(f"{database} could not be copied: {error}; nothing was written.") from error


def copy_file(file: Path, draft: Path) -> None:
    try:
        shutil.copyfile(file, draft)
        flush(draft)
    except OSError as error:
        raise BackupRefused(f"{file} could not be copied: {error.strerror}; nothing was changed.") from error


@contextlib.contextmanager
def opened(database: Path) -> Iterator[str]:
    """The alias of a file of its own, without the site's settings for writers: reading leaves no trace in it."""
    with other_database(str(database), OPTIONS={}) as alias:
        yield alias


def replace_database(database: Path, draft: Path, *, aside: Path) -> Path | None:
    """Puts the draft in the database's place; what was there is kept as `aside`. Refused while anybody has
    it open."""
    if not database.exists():
        os.replace(draft, database)
        flush(database.parent)
        return None
    with _nobody_elses(database):
        _keep(database, aside)
        for leftover in siblings(database):
            if leftover.exists():
                os.rename(leftover, leftover.with_name(leftover.name.replace(database.name, aside.name)))
        os.replace(draft, database)
        flush(database.parent)
    return aside


def first_damage(connection: BaseDatabaseWrapper, *, seconds: float) -> str | None:
    """The first fault SQLite finds in its file within the time given; None where it found none."""
    connection.ensure_connection()
    file: sqlite3.Connection = connection.connection
    until = time.monotonic() + seconds
    file.set_progress_handler(lambda: time.monotonic() > until, STEPS_BETWEEN_LOOKS)
    try:
        with connection.wrap_database_errors:
            [says] = file.execute("PRAGMA quick_check(1)").fetchone()
    except OperationalError as error:
        if "interrupted" in str(error):
            return None
        raise
    finally:
        file.set_progress_handler(None, 0)
    return None if says == "ok" else str(says)


def _keep(database: Path, aside: Path) -> None:
    """A second name for the same file, so that there is no moment without a database where links are known."""
    try:
        os.link(database, aside)
    except OSError:
        os.rename(database, aside)


@contextlib.contextmanager
def _nobody_elses(database: Path) -> Iterator[None]:
    """Held alone, with everything from the -wal file in it. One too damaged to be opened is left as it is."""
    connection = _connect(database, LOCK_WAIT_SECONDS)
    try:
        # Leaving WAL needs all other connections gone, idle ones too; BEGIN EXCLUSIVE alone would not see them.
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as error:
        connection.close()
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise BackupRefused(
                f"Somebody has {database} open. Stop the server first; nothing was changed."
            ) from error
    try:
        yield
    finally:
        connection.close()


def _connect(database: Path, wait_seconds: int) -> sqlite3.Connection:
    """Never makes a new file where there is none."""
    address = f"{database.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=wait_seconds, isolation_level=None)
