"""Runs PostgreSQL's own programs on the site's server; the password goes by the environment, never by words."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from django.db import ProgrammingError, connection, connections

from sessions_app.errors import BackupRefused
from sessions_app.services.other_database import other_database

MAY_NOT = "42501"
LEAVING_SECONDS = 2
ENVIRONMENT = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}
OPTIONS = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "service": "PGSERVICE",
    "passfile": "PGPASSFILE",
}


class MayNotCreateDatabases(Exception):
    """The site's role has not been given CREATEDB, so a copy cannot be restored for a look."""


def dump(draft: Path) -> None:
    """Everything that is committed now, in pg_dump's own format; writers go on meanwhile."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={draft}")


def read_through(file: Path) -> None:
    """Reads a dump to its end without restoring it."""
    _run("pg_restore", f"--file={os.devnull}", str(file))


@contextlib.contextmanager
def restored_elsewhere(file: Path) -> Iterator[str]:
    """The alias of a temporary database on the same server that holds what the dump holds."""
    name = f"holdfast_verify_{secrets.token_hex(4)}"
    # In the C locale every server can hold UTF-8, whatever it was set up for.
    _on_server(f"""CREATE DATABASE "{name}" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'""")
    try:
        restore = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        _run("pg_restore", *restore, f"--dbname={name}", str(file))
        with other_database(name) as alias:
            yield alias
    finally:
        _on_server(f'DROP DATABASE "{name}" WITH (FORCE)')


def replace_contents(file: Path, script: Path) -> None:
    """All of Holdfast's tables go and those of the dump come, in one transaction. `script` is room for the
    SQL: psql would take a pipe that breaks off for the end, and commit half of it."""
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(file))
    _run(
        "psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
        f"--command={_drop_everything()}", f"--file={script}",
    )  # fmt: skip


def is_in_use() -> bool:
    """Whether anybody else is connected to the site's database; one who is just leaving is waited for."""
    until = time.monotonic() + LEAVING_SECONDS
    while _other_connections():
        if time.monotonic() > until:
            return True
        time.sleep(0.05)
    return False


def _other_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        count: int = cursor.fetchone()[0]
        return count


def _drop_everything() -> str:
    """What a newer version added goes too; tables of other programs stay."""
    with connection.cursor() as cursor:
        found = connection.introspection.table_names(cursor)
        known = {*connection.introspection.django_table_names(), "django_migrations"}
        tables = [name for name in found if name in known or name.startswith("holdfast_")]
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE proname LIKE %s AND pronamespace = current_schema()::regnamespace",
            ["hf\\_%"],
        )
        functions = [name for (name,) in cursor.fetchall()]
    statements = [f'DROP TABLE "{name}" CASCADE;' for name in tables]
    return "".join(statements + [f'DROP FUNCTION "{name}"() CASCADE;' for name in functions]) or "SELECT 1;"


def _on_server(statement: str) -> None:
    """In a connection of its own: no transaction may be open around it."""
    with other_database(connection.settings_dict["NAME"]) as alias:
        try:
            with connections[alias].cursor() as cursor:
                cursor.execute(statement)
        except ProgrammingError as error:
            if getattr(error.__cause__, "sqlstate", None) == MAY_NOT:
                raise MayNotCreateDatabases from error
            raise


def _run(program: str, *words: str) -> None:
    path = shutil.which(program)
    if path is None:
        raise BackupRefused(
            f"{program} is not installed. Install PostgreSQL's client programs, of the server's version or newer "
            "(postgresql-client on Debian and Ubuntu); nothing was changed."
        )
    finished = subprocess.run(
        [path, *words],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode != 0:
        lines = finished.stderr.strip().splitlines() or [f"exit code {finished.returncode}"]
        raise BackupRefused(f"{program} failed: {lines[0]}; nothing was changed.")


def _environment() -> dict[str, str]:
    settings = connection.settings_dict
    given = {name: settings.get(key) for key, name in ENVIRONMENT.items()}
    given |= {name: settings["OPTIONS"].get(key) for key, name in OPTIONS.items()}
    return {**os.environ, **{name: str(value) for name, value in given.items() if value}}
