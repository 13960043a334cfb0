"""Remembers the ids of a file while it is checked, in a temporary file: memory does not grow with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from types import TracebackType

_TABLE = "CREATE TABLE seen (id TEXT PRIMARY KEY, noun TEXT, session INTEGER) WITHOUT ROWID"
BATCH = 500


class Ids:
    """Each id once in a file, and which session it is in."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # SQLite's name for a file that nobody else sees
        self._database.execute(_TABLE)

    def add(self, public_id: str, noun: str, session: int) -> bool:
        """False where it was there before."""
        added = self._database.execute(
            "INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", (public_id, noun, session)
        )
        return added.rowcount == 1

    def session_of(self, public_id: str, noun: str) -> int | None:
        found = self._database.execute(
            "SELECT session FROM seen WHERE id = ? AND noun = ?", (public_id, noun)
        )
        row = found.fetchone()
        return None if row is None else int(row[0])

    def batches(self, noun: str) -> Iterator[Sequence[str]]:
        found = self._database.execute("SELECT id FROM seen WHERE noun = ?", (noun,))
        while rows := found.fetchmany(BATCH):
            yield [row[0] for row in rows]

    def __enter__(self) -> Ids:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
