"""The index itself, behind one interface: SQLite's FTS5 or PostgreSQL's tsvector, in a table of its own.

An entry has the id of its message, or the negated id of the conversation whose title it is: the newest come
first, and one kind is a range of ids. Its scopes say where it is, and are compared like words nobody can type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.models import Openness
from sessions_app.services.search.query import Phrase, Query

TABLE = "holdfast_search"
MOST_POSITION, MOST_POSITIONS = 16_383, 255  # PostgreSQL keeps no more of a word


WITHIN = {Openness.OPEN: "w", Openness.RESTRICTED: "r", Openness.PRIVATE: "p"}


@dataclass(frozen=True)
class Entry:
    id: int
    words: Sequence[str]
    scopes: Sequence[str]


class Engine(Protocol):
    """`scopes` of a search are alternatives. `above` and `below` are ids, both excluded."""

    def create(self) -> None: ...
    def drop(self) -> None: ...
    def put(self, entries: Iterable[Entry]) -> None: ...
    def remove(self, ids: str, parameters: Sequence[Any]) -> None: ...
    def find(
        self, query: Query, scopes: Sequence[str], *, above: int, below: int, limit: int
    ) -> list[int]: ...


def engine(connection: BaseDatabaseWrapper) -> Engine:
    return Fts5(connection) if connection.vendor == "sqlite" else TextVectors(connection)


def workspace_scope(workspace_id: int, openness: str = Openness.OPEN) -> str:
    """What is open, restricted or private in a workspace is apart from the rest of it."""
    return f"#{WITHIN[Openness(openness)]}{workspace_id}"


def conversation_scope(conversation_id: int) -> str:
    return f"#c{conversation_id}"


@dataclass(frozen=True)
class _Table:
    connection: BaseDatabaseWrapper

    def drop(self) -> None:
        self._execute(f"DROP TABLE IF EXISTS {TABLE}")

    def _execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(sql, parameters or None)

    def _put(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.connection.cursor() as cursor:
            cursor.executemany(sql, list(rows))

    def _ids(self, sql: str, parameters: Sequence[Any]) -> list[int]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            return [row[0] for row in cursor.fetchall()]


class Fts5(_Table):
    def create(self) -> None:
        # The tokenizer named ascii takes every other character for a letter: words come cut and folded already.
        self._execute(
            f"CREATE VIRTUAL TABLE {TABLE} USING fts5(words, scopes, prefix='3',"
            " tokenize=\"ascii tokenchars '_#'\")"
        )

    def put(self, entries: Iterable[Entry]) -> None:
        self._put(
            f"INSERT OR REPLACE INTO {TABLE} (rowid, words, scopes) VALUES (%s, %s, %s)",
            ((entry.id, " ".join(entry.words), " ".join(entry.scopes)) for entry in entries),
        )

    def remove(self, ids: str, parameters: Sequence[Any]) -> None:
        self._execute(f"DELETE FROM {TABLE} WHERE rowid IN ({ids})", parameters)

    def find(self, query: Query, scopes: Sequence[str], *, above: int, below: int, limit: int) -> list[int]:
        within = " OR ".join(f'"{scope}"' for scope in scopes)
        asked = " AND ".join(f"words : {_fts5_phrase(phrase)}" for phrase in query.phrases)
        return self._ids(
            f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH %s AND rowid > %s AND rowid < %s"
            " ORDER BY rowid DESC LIMIT %s",
            [f"scopes : ({within}) AND {asked}", above, below, limit],
        )


class TextVectors(_Table):
    def create(self) -> None:
        self._execute(f"CREATE TABLE {TABLE} (id bigint PRIMARY KEY, words tsvector NOT NULL)")
        # Entries are added in batches and looked for at once: a list of pending ones would slow every search.
        self._execute(f"CREATE INDEX {TABLE}_words ON {TABLE} USING gin (words) WITH (fastupdate = off)")

    def put(self, entries: Iterable[Entry]) -> None:
        self._put(
            f"INSERT INTO {TABLE} (id, words) VALUES (%s, %s::tsvector)"
            " ON CONFLICT (id) DO UPDATE SET words = excluded.words",
            ((entry.id, _vector(entry)) for entry in entries),
        )

    def remove(self, ids: str, parameters: Sequence[Any]) -> None:
        self._execute(f"DELETE FROM {TABLE} WHERE id IN ({ids})", parameters)

    def find(self, query: Query, scopes: Sequence[str], *, above: int, below: int, limit: int) -> list[int]:
        """Materialized, so that the planner never walks all entries in their order in search of a rare word."""
        within = " | ".join(_quoted(scope) for scope in scopes)
        asked = " & ".join(_vector_phrase(phrase) for phrase in query.phrases)
        return self._ids(
            f"WITH found AS MATERIALIZED (SELECT id FROM {TABLE} WHERE words @@ %s::tsquery)"
            " SELECT id FROM found WHERE id > %s AND id < %s ORDER BY id DESC LIMIT %s",
            [f"({within}) & {asked}", above, below, limit],
        )


def _fts5_phrase(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"' + (" *" if phrase.is_prefix else "")


def _vector_phrase(phrase: Phrase) -> str:
    words = " <-> ".join(_quoted(word) for word in phrase.words)
    return f"({words}{':*' if phrase.is_prefix else ''})"


def _vector(entry: Entry) -> str:
    places: dict[str, list[str]] = {}
    for place, word in enumerate(entry.words, 1):
        found = places.setdefault(word, [])
        if len(found) < MOST_POSITIONS:
            found.append(str(min(place, MOST_POSITION)))
    words = (f"{_quoted(word)}:{','.join(found)}" for word, found in places.items())
    return " ".join([*words, *(_quoted(scope) for scope in entry.scopes)])


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
