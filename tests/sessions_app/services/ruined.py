"""Damages a SQLite file where a test wants it: in one table that is small enough to be a single page."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

TABLES = ("holdfast_event", "holdfast_message", "holdfast_audit_entry")


def ruin_table(database: Path, table: str) -> None:
    """Writes over the page where the table begins; nothing else of the file is touched."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        [[root]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table])
        [[size]] = connection.execute("PRAGMA page_size")
    content, at = database.read_bytes(), (root - 1) * size
    database.write_bytes(content[:at] + b"\xff" * size + content[at + size :])
