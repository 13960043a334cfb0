"""A database of its own for tests that commit, use several threads, or replace the database itself."""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from sessions_app.services.other_database import other_database


@pytest.fixture
def empty_database(tmp_path: Path, settings: Settings, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The site's database is a new one without a table, and its data folder is new as well."""
    settings.DATA_DIR = new_folder(tmp_path)
    with django_db_blocker.unblock(), new_database(settings.DATA_DIR) as name, as_the_sites(name):
        yield


@pytest.fixture
def fresh_database(
    migrated: str, tmp_path: Path, settings: Settings, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The site's database is a new one with its tables, and its data folder is new as well."""
    settings.DATA_DIR = new_folder(tmp_path)
    with (
        django_db_blocker.unblock(),
        new_database(settings.DATA_DIR, template=migrated) as name,
        as_the_sites(name),
    ):
        yield


@pytest.fixture(scope="session")
def migrated(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """The name of a database with its tables and nothing in them, to be copied: migrating takes seconds."""
    folder = tmp_path_factory.mktemp("migrated")
    with contextlib.ExitStack() as stack:
        with django_db_blocker.unblock():
            name = stack.enter_context(new_database(folder))
            with as_the_sites(name), override_settings(DATA_DIR=folder):
                call_command("migrate", verbosity=0)
        yield name
        with django_db_blocker.unblock():
            stack.close()


def new_folder(within: Path) -> Path:
    folder = within / "data"
    folder.mkdir(parents=True)
    return folder


@contextlib.contextmanager
def new_database(folder: Path, *, template: str = "") -> Iterator[str]:
    """The name of a database that exists inside the block only: empty, or a copy of another."""
    name = f"holdfast_test_{secrets.token_hex(4)}"
    if connections[DEFAULT_DB_ALIAS].vendor == "sqlite":
        file = folder / f"{name}.sqlite3"
        if template:
            shutil.copyfile(template, file)
        yield str(file)
        return
    on_server(f'CREATE DATABASE "{name}" TEMPLATE "{template or "template1"}"')
    try:
        yield name
    finally:
        on_server(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextlib.contextmanager
def as_the_sites(name: str, **changed: Any) -> Iterator[None]:
    """In place of the shared test database, for every thread."""
    shared, settings = connections[DEFAULT_DB_ALIAS], connections.settings[DEFAULT_DB_ALIAS]
    connections.settings[DEFAULT_DB_ALIAS] = {**settings, "NAME": name, **changed}
    del connections[DEFAULT_DB_ALIAS]
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS].close()
        connections.settings[DEFAULT_DB_ALIAS] = settings
        connections[DEFAULT_DB_ALIAS] = shared


def on_server(statement: str) -> None:
    with (
        other_database(connections.settings[DEFAULT_DB_ALIAS]["NAME"]) as alias,
        connections[alias].cursor() as cursor,
    ):
        cursor.execute(statement)
