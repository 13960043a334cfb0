"""The bare database driver, without Django: what the product's writes are compared with."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
from django.db import connection

Statement = tuple[str, Sequence[Sequence[Any]]]
Write = Callable[[Sequence[Statement]], None]


@contextlib.contextmanager
def bare_driver() -> Iterator[Write]:
    """A function that runs each statement for all of its rows, in one transaction.

    On SQLite it borrows the product's connection, whose cache is warm: a second one to the same file would
    have to read again what the other has written. On PostgreSQL it has its own, with the driver's defaults.
    """
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        yield _sqlite_write(connection.connection)
    else:
        with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None}) as own:
            yield _postgresql_write(own)


def _sqlite_write(bare: sqlite3.Connection) -> Write:
    def write(statements: Sequence[Statement]) -> None:
        cursor = bare.cursor(sqlite3.Cursor)
        cursor.execute("BEGIN IMMEDIATE")
        for statement, rows in statements:
            cursor.executemany(statement.replace("%s", "?"), rows)
        cursor.execute("COMMIT")

    return write


def _postgresql_write(bare: psycopg.Connection[Any]) -> Write:
    def write(statements: Sequence[Statement]) -> None:
        with bare.cursor() as cursor:
            for statement, rows in statements:
                cursor.executemany(statement, rows)
        bare.commit()

    return write
