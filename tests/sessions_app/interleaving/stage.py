"""The stage of all interleavings: who is there, how a service is tried, and how it dies in the middle."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from sessions_app.errors import HoldfastError
from sessions_app.models import (
    Agent,
    Conversation,
    Membership,
    Role,
    Trigger,
    User,
    Workspace,
)
from sessions_app.services import conversations, transcript, turn_lease
from sessions_app.services.audit import Origin

PAGE = Origin(Trigger.PAGE)
NAMES = ["alice", "mia", "vera", "bob"]
people = st.sampled_from(["alice"] * 4 + ["mia"] * 2 + ["vera", "bob"])
choice = st.integers(min_value=0, max_value=10_000)
# A service rarely issues more than thirty statements; most numbers let it through.
crash_at = st.one_of(st.none(), st.none(), st.integers(min_value=1, max_value=30))


class Crash(Exception):
    """The process died here: the transaction is gone."""


@contextlib.contextmanager
def dying_at(statement: int | None) -> Iterator[None]:
    count = 0

    def count_down(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal count
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):  # the test's own nesting
            count += 1
            if count == statement:
                raise Crash
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count_down):
        yield


class Stage(RuleBasedStateMachine):
    """What is remembered here, outside the database, is only ever added to, as the history itself is."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.purged: set[int] = set()
        self.leases: list[turn_lease.Lease] = []

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    @initialize()
    def begin(self) -> None:
        team = Workspace.objects.create(name="Kelp", slug="kelp")
        self.people = {name: User.objects.create_user(name) for name in NAMES}
        for name, role in (("alice", Role.OWNER), ("mia", Role.MEMBER), ("vera", Role.VIEWER)):
            Membership.objects.create(workspace=team, user=self.people[name], role=role)
        self.team = team
        self.agent = Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
        alice = self.people["alice"]
        first = conversations.start_conversation(team, by=alice, key="first", agent=self.agent)
        for text in ("one", "two", "three"):
            transcript.post_message(first, by=alice, text=text, client_id=text)

    def attempt(self, statement: int | None, service: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Runs a service to its end, its refusal or its crash; gives what it returned."""
        before = self.pointers()
        try:
            with dying_at(statement), transaction.atomic():
                return service(*args, **kwargs)
        except (Crash, HoldfastError):
            assert self.pointers() == before
            return None

    def pointers(self) -> list[tuple[int, int, int]]:
        rows = Conversation.objects.order_by("pk").values_list("pk", "active_session_id", "active_entry_id")
        return list(rows)

    def pick(self, rows: Any, number: int) -> Any:
        found = list(rows.order_by("pk"))
        return found[number % len(found)] if found else None

    def conversation(self, number: int) -> Any:
        return self.pick(Conversation.objects.select_related("active_session"), number)
