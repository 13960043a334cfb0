"""The temporary server: answers by its socket while it is needed, and leaves nothing behind."""

import signal
from typing import Any

import psycopg
import pytest

from config.databases import postgresql
from tests.provision.temporary_postgres import TemporaryPostgres, temporary_postgres


def connected(url: str) -> psycopg.Connection[Any]:
    """As the site would: the address goes through our own reading of DATABASE_URL."""
    found = postgresql(url)
    return psycopg.connect(
        host=found["HOST"], port=found["PORT"], user=found["USER"], dbname=found["NAME"], autocommit=True
    )


def ask(url: str) -> object:
    with connected(url) as connection:
        row = connection.execute("SELECT current_database()").fetchone()
    return row and row[0]


def test_it_answers_and_leaves_nothing() -> None:
    with temporary_postgres() as server:
        assert ask(server.url) == "holdfast"
        process = server.process
        assert process is not None
    assert process.returncode == 0
    assert not server.folder.exists()
    with pytest.raises(psycopg.OperationalError):
        ask(server.url)


def test_it_leaves_nothing_when_the_tests_fail() -> None:
    servers: list[TemporaryPostgres] = []
    with pytest.raises(ZeroDivisionError):
        fail_with_a_server(servers)
    assert servers[0].process is None
    assert not servers[0].folder.exists()


def fail_with_a_server(servers: list[TemporaryPostgres]) -> None:
    with temporary_postgres() as server:
        servers.append(server)
        raise ZeroDivisionError


def test_it_comes_back_after_a_crash_with_what_it_had() -> None:
    with temporary_postgres() as server:
        with connected(server.url) as connection:
            connection.execute("CREATE TABLE kept (word text)")
        server.stop(signal.SIGQUIT)
        server.start()
        with connected(server.url) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)


def test_two_run_side_by_side() -> None:
    with temporary_postgres() as one, temporary_postgres() as other:
        assert one.folder != other.folder
        assert ask(one.url) == ask(other.url) == "holdfast"
