"""DATABASE_URL: a file, a server, or a refusal that keeps the password to itself."""

import contextlib
import traceback
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.sqlite3.base import DatabaseWrapper
from pytest_django import DjangoDbBlocker

from config.databases import POSTGRESQL, SQLITE, database

FILE = Path("holdfast.sqlite3")
PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 20_000}


def test_without_an_address_the_default_file_is_used() -> None:
    assert database("", default_file=FILE)["NAME"] == str(FILE)
    assert database("", default_file=FILE)["ENGINE"] == SQLITE


def test_a_file_is_named_by_an_absolute_path() -> None:
    assert database("sqlite:////var/lib/a.sqlite3", default_file=FILE)["NAME"] == "/var/lib/a.sqlite3"


def test_sqlite_waits_for_the_disk_and_for_other_writers(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    described = database("", default_file=tmp_path / "a.sqlite3")
    connection = DatabaseWrapper(
        {**described, "TIME_ZONE": None, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False, "AUTOCOMMIT": True}
    )
    with django_db_blocker.unblock(), contextlib.closing(connection), connection.cursor() as cursor:
        found = [cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS]
    assert dict(zip(PRAGMAS, found, strict=True)) == PRAGMAS
    assert vars(connection)["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "POSTGRES"])
def test_a_server_is_described_in_full(scheme: str) -> None:
    found = database(f"{scheme}://alice:hunt%2Fer2@db.example:5433/team?sslmode=require", default_file=FILE)
    assert found["ENGINE"] == POSTGRESQL
    assert (found["USER"], found["PASSWORD"]) == ("alice", "hunt/er2")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", 5433, "team")
    assert found["OPTIONS"]["sslmode"] == "require"


def test_nobody_waits_for_ever_on_a_server_unless_the_address_says_so() -> None:
    url = "postgres://alice@db.example/team"
    assert "-c lock_timeout=5s" in database(url, default_file=FILE)["OPTIONS"]["options"]
    own = database(f"{url}?options=-c%20lock_timeout%3D0", default_file=FILE)
    assert own["OPTIONS"]["options"] == "-c lock_timeout=0"


def test_a_connection_is_never_kept_for_a_thread_that_is_gone() -> None:
    found = database("postgres://alice@db.example/team?CONN_MAX_AGE=600", default_file=FILE)
    assert found["CONN_MAX_AGE"] == 0


def test_a_server_may_be_reached_by_its_socket() -> None:
    found = database("postgres://alice@:5433//run/postgresql/team", default_file=FILE)
    assert (found["HOST"], found["NAME"]) == ("/run/postgresql", "team")


@pytest.mark.parametrize(
    "url",
    [
        "hunter2",
        "alice:hunter2@db.example/team",
        "postgres:alice:hunter2@db.example/team",
        "mysql://alice:hunter2@db.example/team",
        "postgres://alice:hunter2@db.example",
        "postgres://alice:hunter2@db.example/",
        "postgres://alice:hunter2@db.example:99999/team",
        "postgres://alice:hunter2/x@db.example:5432/team",
        "postgres://alice:hunter2?x@db.example:5432/team",
        "sqlite://hunter2",
        "sqlite://:memory:",
        "sqlite:///",
        "sqlite:///:memory:",
    ],
)
def test_nonsense_is_refused_with_one_sentence_that_keeps_the_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        database(url, default_file=FILE)
    sentence = str(refusal.value)
    assert sentence.startswith("DATABASE_URL ")
    assert sentence.endswith(".")
    assert "hunter2" not in messages(refusal.value)


def messages(error: BaseException) -> str:
    """What a server's log would show of it, causes included, but for the lines of the source."""
    shown = traceback.TracebackException.from_exception(error)
    return "".join(line for line in shown.format() if not line.startswith("  File"))
