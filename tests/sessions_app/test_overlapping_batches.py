"""Many writers, overlapping sets of sessions, stops and resets in between: no deadlock, every event once.

On PostgreSQL batches pass over busy sessions and their callers repeat; on SQLite the same goes through the gate.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from django.db import connection
from django.db.models import Value
from django.db.models.functions import Concat

from sessions_app.canonical import canonical_json
from sessions_app.errors import KeyTaken, StaleEpoch, TurnUnavailable
from sessions_app.models import Agent, Conversation, Message, SessionEvent, Turn, TurnState, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.ending import finish_turn, stop_turn
from sessions_app.services.journal import Append, append_batch
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import Lease, claim_turn, renew_leases
from tests.figures import PrintFigure
from tests.sessions_app.conftest import PAGE
from tests.sessions_app.figures import figures
from tests.sessions_app.threads import in_threads, wait_for

SESSIONS, WRITERS, ROUNDS, AT_ONCE = 6, 4, 40, 4


@dataclass
class Writer:
    """Appends to sessions in an order of its own, and keeps what it was told."""

    number: int
    leases: list[Lease]
    accepted: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    lost: set[int] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)
    repeated: int = 0

    def write(self) -> None:
        chance = random.Random(self.number)
        for count in range(ROUNDS):
            standing = [lease for lease in self.leases if lease.turn_id not in self.lost]
            chosen = chance.sample(standing, min(AT_ONCE, len(standing)))
            self.write_all({lease.turn_id: (lease, f"{self.number}.{count}") for lease in chosen})

    def write_all(self, wanted: dict[int, tuple[Lease, str]]) -> None:
        """Busy ones are repeated until they are through or refused, as the journal writer does."""
        while wanted:
            begun = time.perf_counter()
            batch = append_batch([Append(lease, texts(text)) for lease, text in wanted.values()])
            self.seconds.append(time.perf_counter() - begun)
            for turn_id in batch.first_seqs:
                self.accepted[turn_id].append(wanted[turn_id][1])
            self.lost |= batch.refused
            assert batch.first_seqs.keys() | batch.refused | batch.busy == wanted.keys()
            self.repeated += len(batch.busy)
            wanted = {turn_id: wanted[turn_id] for turn_id in batch.busy}


def texts(text: str) -> list[tuple[str, str]]:
    return [("text", canonical_json({"text": f"{text}{part}"})) for part in "ab"]


@pytest.mark.django_db(transaction=True)
def test_overlapping_batches_stops_and_resets_do_not_hinder_each_other(
    team: Workspace, alice: User, echo: Agent, print_figure: PrintFigure
) -> None:
    leases = [running(team, alice, echo, number) for number in range(SESSIONS)]
    writers = [Writer(number, leases) for number in range(WRITERS)]
    deadlocks = count_deadlocks()
    stopped, moved = leases[1], leases[4]

    def interfere() -> None:
        wait_for(lambda: all(len(writer.seconds) > ROUNDS // 4 for writer in writers))
        stop_turn(Turn.objects.get(pk=stopped.turn_id), by=alice)
        conversation = Conversation.objects.get(active_session=moved.session_id)
        reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=PAGE)

    def beat() -> None:
        """The heartbeat of the same process, on a connection of its own."""
        for _ in range(ROUNDS):
            renew_leases(reversed(leases))

    in_threads(*(writer.write for writer in writers), interfere, beat)

    for writer in writers:
        name = f"{connection.vendor}, overlapping batches, writer {writer.number}"
        print_figure(figures(name, writer.seconds) + f", {writer.repeated} repeated as busy")
    for lease in leases:
        assert_exactly_once(lease, writers)
    for writer in writers:
        assert writer.lost <= {stopped.turn_id, moved.turn_id}
    assert states(leases) == {lease.turn_id: expected(lease, stopped, moved) for lease in leases}
    for lease in (stopped, moved):
        assert append_batch([Append(lease, texts("late"))]).refused == {lease.turn_id}
    assert count_deadlocks() == deadlocks


@pytest.mark.django_db(transaction=True)
def test_sends_claims_and_resets_in_one_conversation_do_not_hinder_each_other(
    team: Workspace, alice: User, echo: Agent
) -> None:
    conversation = start_conversation(team, by=alice, agent=echo, origin=PAGE)
    deadlocks = count_deadlocks()
    sent = threading.Event()

    def send() -> None:
        try:
            for number in range(ROUNDS):
                post_message(conversation, by=alice, text="hello", client_id=str(number))
        finally:
            sent.set()

    def answer() -> None:
        while not sent.is_set():
            for turn in Turn.objects.filter(state=TurnState.QUEUED).order_by("pk")[:1]:
                with contextlib.suppress(TurnUnavailable, StaleEpoch):
                    lease = claim_turn(turn, owner="writers")
                    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)

    def reset() -> None:
        while not sent.is_set():
            row = Conversation.objects.select_related("active_session").get(pk=conversation.pk)
            reset_conversation(row, by=alice, expected_session=row.active_session, origin=PAGE)

    in_threads(send, answer, reset)
    assert Message.objects.filter(author=alice).count() == ROUNDS
    assert count_deadlocks() == deadlocks


@pytest.mark.django_db(transaction=True)
def test_of_many_who_start_one_key_at_once_one_is_first_and_the_others_are_told(
    team: Workspace, alice: User
) -> None:
    told: list[str] = []
    together = threading.Barrier(WRITERS)

    def start() -> None:
        together.wait(30)
        try:
            told.append(start_conversation(team, by=alice, key="same", origin=PAGE).key)
        except KeyTaken as refusal:
            told.append(refusal.code)

    in_threads(*[start] * WRITERS)
    assert sorted(told) == ["key_taken"] * (WRITERS - 1) + ["same"]


@pytest.mark.django_db(transaction=True)
def test_a_deadlock_that_happens_nevertheless_is_repeated_until_both_are_through(team: Workspace) -> None:
    """On SQLite there is none: the second one waits outside the gate until the first is through."""
    other = Workspace.objects.create(name="Wrack", slug="wrack")
    can_deadlock, before = connection.vendor == "postgresql", count_deadlocks()
    both_hold_one, attempts = threading.Barrier(2 if can_deadlock else 1), itertools.count(1)

    @one_transaction
    def add_to_both(first: Workspace, second: Workspace) -> None:
        Workspace.objects.filter(pk=first.pk).update(name=Concat("name", Value("+")))
        if next(attempts) <= 2:  # the one that is repeated finds nobody to wait for
            both_hold_one.wait(30)
        Workspace.objects.filter(pk=second.pk).update(name=Concat("name", Value("+")))

    in_threads(lambda: add_to_both(team, other), lambda: add_to_both(other, team))
    assert set(Workspace.objects.values_list("name", flat=True)) == {"Kelp++", "Wrack++"}
    assert count_deadlocks() - before == (1 if can_deadlock else 0)


def expected(lease: Lease, *ended: Lease) -> str:
    return TurnState.STOPPED if lease in ended else TurnState.RUNNING


def running(team: Workspace, alice: User, echo: Agent, number: int) -> Lease:
    conversation = start_conversation(team, by=alice, key=f"c{number}", agent=echo, origin=PAGE)
    turn = post_message(conversation, by=alice, text="write", client_id="c").turn
    assert turn is not None
    return claim_turn(turn, owner="writers")


def assert_exactly_once(lease: Lease, writers: list[Writer]) -> None:
    """What was acknowledged is in the log, once and in its writer's order, and nothing else is."""
    events = list(SessionEvent.objects.filter(session=lease.session_id).order_by("seq"))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    logged = [event.content["text"] for event in events if event.kind == "text"]
    assert logged[0::2] == [text[:-1] + "a" for text in logged[1::2]]
    for writer in writers:
        mine = [text[:-1] for text in logged[0::2] if text.startswith(f"{writer.number}.")]
        assert mine == writer.accepted[lease.turn_id]
    assert len(logged) == 2 * sum(len(writer.accepted[lease.turn_id]) for writer in writers)
    kinds = [event.kind for event in events]
    if "sealed" in kinds[2:]:
        assert "text" not in kinds[kinds.index("turn_ended") :]


def states(leases: list[Lease]) -> dict[int, str]:
    return dict(Turn.objects.filter(pk__in=[lease.turn_id for lease in leases]).values_list("pk", "state"))


def count_deadlocks() -> int:
    """PostgreSQL breaks a deadlock after a second and a retry hides it, but it keeps count."""
    if connection.vendor != "postgresql":
        return 0
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    wait_for(lambda: number(others) == 0)  # a connection reports what it saw when it ends
    return number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")


def number(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        [(count,)] = cursor.fetchall()
        return int(count)
