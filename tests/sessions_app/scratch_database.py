"""An empty database beside the tests' own, on the engine of the run, gone when the test has ended."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

ALIAS = "scratch"


@contextlib.contextmanager
def scratch_database(folder: Path) -> Iterator[BaseDatabaseWrapper]:
    """Reachable as the alias `scratch`, for as long as this lasts."""
    with _empty_database(folder) as name:
        connections.settings[ALIAS] = {**connection.settings_dict, "NAME": name}
        try:
            yield connections[ALIAS]
        finally:
            connections[ALIAS].close()
            del connections[ALIAS]
            del connections.settings[ALIAS]


def url_of(scratch: BaseDatabaseWrapper) -> str:
    """The scratch database for a process of its own."""
    settings: dict[str, Any] = scratch.settings_dict
    if scratch.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    return f"postgres://{settings['USER']}@:{settings['PORT']}/{settings['HOST']}/{settings['NAME']}"


@contextlib.contextmanager
def _empty_database(folder: Path) -> Iterator[str]:
    if connection.vendor == "sqlite":
        yield str(folder / "scratch.sqlite3")
        return
    name = f"scratch_{uuid.uuid4().hex}"
    with psycopg.connect(**_beside(), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield name
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def _beside() -> dict[str, Any]:
    settings: dict[str, Any] = connection.settings_dict
    return {
        "host": settings["HOST"],
        "port": settings["PORT"],
        "user": settings["USER"],
        "password": settings["PASSWORD"],
        "dbname": "postgres",
    }
