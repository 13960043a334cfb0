"""F8, F5: a database that goes away, restarts or stays locked costs time, and never a message or a second one."""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from config.databases import SQLITE_OPTIONS
from sessions_app.errors import DatabaseBusy, OutcomeUnknown
from sessions_app.models import Conversation, Message
from sessions_app.services import transactions
from sessions_app.services.log import lock_conversation
from sessions_app.services.transcript import Posted, post_message
from sessions_app.services.verify import verify
from tests.provision.temporary_postgres import NAME, PORT, TemporaryPostgres, temporary_postgres
from tests.sessions_app.fresh_database import as_the_sites, new_database
from tests.sessions_app.services.writers import start_team
from tests.sessions_app.threads import in_threads, wait_for


def send(conversation: Conversation, client_id: str = "c") -> Posted:
    """By alice, who was read before anything happened to the database."""
    assert conversation.started_by is not None
    return post_message(conversation, by=conversation.started_by, text="hello", client_id=client_id)


IMPATIENT = {
    "sqlite": SQLITE_OPTIONS | {"init_command": "PRAGMA busy_timeout=50"},
    "postgresql": {"options": "-c lock_timeout=50"},
}


@pytest.mark.usefixtures("fresh_database")
def test_what_stays_locked_is_said_to_be_busy() -> None:
    conversation = Conversation.objects.select_related("started_by").get(pk=start_team().pk)
    is_locked, is_done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            lock_conversation(conversation)
            is_locked.set()
            is_done.wait()

    def try_to_write() -> None:
        is_locked.wait()
        try:
            with pytest.raises(DatabaseBusy, match="nothing was changed"):
                send(conversation)
        finally:
            is_done.set()

    with as_the_sites(connection.settings_dict["NAME"], OPTIONS=IMPATIENT[connection.vendor]):
        in_threads(hold, try_to_write)
    assert send(conversation).is_new
    assert Message.objects.count() == 1


if connection.vendor == "postgresql":

    @pytest.mark.usefixtures("fresh_database")
    def test_who_sleeps_in_a_transaction_loses_its_locks_and_begins_again() -> None:
        """A process that was stopped in the middle holds others up until the server takes its locks away."""
        conversation = Conversation.objects.select_related("started_by").get(pk=start_team().pk)
        is_locked, is_done = threading.Event(), threading.Event()

        @transactions.one_transaction
        def sleep() -> None:
            lock_conversation(conversation)
            is_locked.set()
            is_done.wait()
            send(conversation, "slept")

        def write() -> None:
            is_locked.wait()
            try:
                assert send(conversation, "awake").is_new
            finally:
                is_done.set()

        forgetful = {"options": "-c idle_in_transaction_session_timeout=200"}
        with as_the_sites(connection.settings_dict["NAME"], OPTIONS=forgetful):
            in_threads(sleep, write)
        assert list(Message.objects.order_by("pk").values_list("client_id", flat=True)) == ["awake", "slept"]

    @pytest.fixture(scope="module")
    def running_server(
        django_db_setup: None, django_db_blocker: DjangoDbBlocker
    ) -> Iterator[TemporaryPostgres]:
        """One of its own, which a test may stop."""
        with django_db_blocker.unblock(), temporary_postgres() as server:
            with as_the_sites(NAME, **where(server)):
                call_command("migrate", verbosity=0)
            yield server

    @pytest.fixture
    def server(
        running_server: TemporaryPostgres, tmp_path: Path, django_db_blocker: DjangoDbBlocker
    ) -> Iterator[TemporaryPostgres]:
        """With tables and nothing in them."""
        with (
            django_db_blocker.unblock(),
            as_the_sites(NAME, **where(running_server)),
            new_database(tmp_path, template=NAME) as name,
            as_the_sites(name, **where(running_server)),
        ):
            yield running_server

    def where(server: TemporaryPostgres) -> dict[str, str]:
        return {"HOST": str(server.folder), "PORT": str(PORT), "USER": NAME}

    @pytest.fixture
    def conversation(server: TemporaryPostgres) -> Conversation:
        return Conversation.objects.select_related("started_by").get(pk=start_team().pk)

    @contextlib.contextmanager
    def interrupted(server: TemporaryPostgres, *, before: str) -> Iterator[None]:
        """The server restarts once, just before a statement that begins so."""
        is_due = True

        def restart(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
            nonlocal is_due
            if is_due and sql.startswith(before):
                is_due = False
                server.stop()
                server.start()
            return execute(sql, *rest)

        with connection.execute_wrapper(restart):
            yield
        assert not is_due

    def test_a_restart_between_two_transactions_is_not_noticed(
        server: TemporaryPostgres, conversation: Conversation
    ) -> None:
        send(conversation, "before")
        server.stop()
        server.start()
        send(conversation, "after")
        assert list(Message.objects.order_by("pk").values_list("client_id", flat=True)) == ["before", "after"]

    @pytest.mark.parametrize("statement", ["SELECT", "INSERT", 'UPDATE "holdfast_conversation"'])
    def test_a_restart_in_the_middle_repeats_all_of_it_once(
        server: TemporaryPostgres, conversation: Conversation, statement: str
    ) -> None:
        with interrupted(server, before=statement):
            posted = send(conversation)
        assert posted.is_new
        assert Message.objects.get() == posted.message
        assert verify().is_clean

    def test_nobody_claims_to_know_what_came_of_a_commit_that_was_cut_off(
        server: TemporaryPostgres, conversation: Conversation
    ) -> None:
        @transactions.one_transaction
        def send_and_lose_the_server() -> None:
            send(conversation)
            server.stop()
            server.start()

        with pytest.raises(OutcomeUnknown, match="may be saved or not"):
            send_and_lose_the_server()
        send(conversation)
        send(conversation)
        assert Message.objects.count() == 1

    def test_a_server_that_stays_away_is_said_to_be_busy(
        server: TemporaryPostgres, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transactions, "RECONNECT_SECONDS", (0.01, 0.01))
        server.stop()
        with pytest.raises(DatabaseBusy, match="nothing was changed"):
            send(conversation)
        server.start()
        assert send(conversation).is_new

    def test_what_was_acknowledged_under_load_is_kept_through_a_crash_of_the_server(
        server: TemporaryPostgres, conversation: Conversation
    ) -> None:
        acknowledged: list[str] = []
        crashed = threading.Event()

        def write(name: str) -> None:
            number = 0
            while not (crashed.is_set() and number > 30):
                number += 1
                with contextlib.suppress(DatabaseBusy):
                    send(conversation, f"{name} {number}")
                    acknowledged.append(f"{name} {number}")

        def crash() -> None:
            wait_for(lambda: len(acknowledged) > 20)
            server.stop(signal.SIGQUIT)
            server.start()
            crashed.set()

        in_threads(*(functools.partial(write, name) for name in "ab"), crash)
        connection.close()
        assert set(acknowledged) <= set(Message.objects.values_list("client_id", flat=True))
        assert verify().is_clean
