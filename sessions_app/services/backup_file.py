"""Backups as files: recognised by how they begin, written whole or not at all, never over another file."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sessions_app.errors import BackupRefused

ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
BEGINNINGS = {b"SQLite format 3\x00": "sqlite", b"PGDMP": "postgresql"}


def refuse_unless_backup(file: Path, vendor: str) -> None:
    """Returns when the file looks like a backup for this engine."""
    found = _engine_of(file)
    if found is None:
        raise BackupRefused(f"{file} is not a backup of Holdfast; nothing was changed.")
    if found != vendor:
        raise BackupRefused(
            f"{file} is a backup of {ENGINES[found]}, and this site uses {ENGINES[vendor]}; nothing was changed."
        )


def refuse_existing(file: Path) -> None:
    if file.exists() or file.is_symlink():
        raise BackupRefused(f"{file} exists already and is kept as it is. Choose another name.")
    if not file.absolute().parent.is_dir():
        raise BackupRefused(f"There is no folder {file.absolute().parent}; nothing was written.")


@contextlib.contextmanager
def draft_beside(file: Path) -> Iterator[Path]:
    """An empty file in the same folder that only this user may read; it does not outlive the block."""
    folder = file.absolute().parent
    try:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=f".{file.name}-", suffix=".part")
    except OSError as error:
        raise BackupRefused(f"Nothing can be written to {folder}: {error.strerror}.") from error
    os.close(descriptor)
    draft = Path(name)
    try:
        yield draft
    finally:
        for leftover in (draft, *siblings(draft)):
            leftover.unlink(missing_ok=True)


def publish(draft: Path, file: Path) -> None:
    """Gives a finished draft its name, in one step; whoever took the name meanwhile keeps it."""
    flush(draft)
    try:
        os.link(draft, file)
    except FileExistsError:
        refuse_existing(file)
    except OSError:
        # A file system without links: take the name first, then fill it.
        with file.open("xb"):
            os.replace(draft, file)
    flush(file.absolute().parent)


def flush(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def siblings(database: Path) -> list[Path]:
    """The files SQLite keeps beside a database while it is open."""
    return [database.with_name(database.name + ending) for ending in ("-wal", "-shm", "-journal")]


def _engine_of(file: Path) -> str | None:
    try:
        with file.open("rb") as opened:
            beginning = opened.read(16)
    except FileNotFoundError:
        raise BackupRefused(f"There is no file {file}; nothing was changed.") from None
    except OSError as error:
        raise BackupRefused(f"{file} cannot be read: {error.strerror}; nothing was changed.") from error
    return next((engine for known, engine in BEGINNINGS.items() if beginning.startswith(known)), None)
