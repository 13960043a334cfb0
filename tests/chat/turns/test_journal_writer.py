"""The way from an agent to a screen leads through the log: committed first, then delivered, in order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest
from django.db import OperationalError, connection, transaction

from chat.database_threads import read, write
from chat.turns.journal_writer import JournalWriter
from chat.turns.stream import FULL_CHARACTERS, NotSaved, Stream
from chat.wire import Piece
from sessions_app.errors import StaleEpoch
from sessions_app.models import Conversation, Session, SessionEvent, Turn
from sessions_app.services.conversations import start_conversation
from sessions_app.services.ending import stop_turn
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.sessions_app.services.writers import say, start_team


@dataclass
class Desk:
    """A writer, and what it has delivered."""

    journal: JournalWriter
    delivered: list[Piece] = field(default_factory=list)

    def deliver(self, pieces: Sequence[Piece]) -> None:
        self.delivered.extend(pieces)

    @property
    def texts(self) -> list[str]:
        events = [event for piece in self.delivered for event in json.loads(f"[{piece.items}]")]
        return [event["payload"]["text"] for event in events]


@contextlib.asynccontextmanager
async def writing() -> AsyncIterator[Desk]:
    desk = Desk(JournalWriter(lambda pieces: desk.deliver(pieces)))
    task = asyncio.create_task(desk.journal.run())
    try:
        yield desk
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        desk.journal.close()


def begun(number: int = 0) -> tuple[Lease, str, str]:
    """A running turn in a conversation of its own."""
    first = Conversation.objects.select_related("workspace", "agent", "started_by").first() or start_team()
    conversation = first
    if number:
        agent, team, alice = first.agent, first.workspace, first.started_by
        conversation = start_conversation(team, by=alice, key=f"other:{number}", agent=agent)
    turn = say(conversation).turn
    assert turn is not None
    lease = claim_turn(turn, owner="test")
    row = Turn.objects.select_related("session", "reply").get(pk=lease.turn_id)
    assert row.reply is not None
    return lease, str(row.session.public_id), str(row.reply.public_id)


def opened(desk: Desk, turn: tuple[Lease, str, str]) -> Stream:
    lease, session, message = turn
    return desk.journal.open(lease, session=session, message=message, last_seq=0)


def log_of(lease: Lease) -> list[str]:
    events = SessionEvent.objects.filter(session_id=lease.session_id, kind="text").order_by("seq")
    return [json.loads(event.payload)["text"] for event in events]


async def test_what_is_delivered_is_in_the_log_and_the_other_way_round(threads: None) -> None:
    turn = await write(begun)
    async with writing() as desk:
        stream = opened(desk, turn)
        for number in range(200):
            stream.add("text", text=f"{number} ")
            if number % 7 == 0:
                await asyncio.sleep(0)
        await stream.committed()
    assert desk.texts == await read(log_of, turn[0])
    assert "".join(desk.texts) == "".join(f"{number} " for number in range(200))


async def test_adjacent_text_that_waits_together_is_one_event(threads: None) -> None:
    turn = await write(begun)
    async with writing() as desk:
        stream = opened(desk, turn)
        for word in ("a", "b", "c"):
            stream.add("text", text=word)
        await stream.committed()
    assert desk.texts == ["abc"]


async def test_nothing_is_delivered_while_nothing_can_be_committed(threads: None) -> None:
    """P1: somebody else holds the database, and every door is silent until the commit."""
    turn = await write(begun)
    held, release = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    async with writing() as desk:
        holding = asyncio.create_task(write(hold, turn[0].session_id, held, release, loop))
        await held.wait()
        stream = opened(desk, turn)
        stream.add("text", text="not yet")
        await asyncio.sleep(0.7)
        assert desk.delivered == []
        assert await read(log_of, turn[0]) == []
        assert desk.journal.delay_seconds > 0.5
        release.set()
        await holding
        await stream.committed()
        assert desk.texts == ["not yet"]
        assert desk.journal.delay_seconds == 0


async def test_a_turn_that_somebody_stopped_adds_nothing_and_the_others_go_on(threads: None) -> None:
    stopped, other = await write(begun), await write(begun, 1)
    async with writing() as desk:
        first, second = opened(desk, stopped), opened(desk, other)
        await write(stop_turn, Turn(pk=stopped[0].turn_id, session_id=stopped[0].session_id), by=None)
        first.add("text", text="too late")
        second.add("text", text="in time")
        with pytest.raises(StaleEpoch):
            await first.committed()
        await second.committed()
        with pytest.raises(StaleEpoch):
            first.add("text", text="again")
    assert desk.texts == ["in time"]
    assert await read(log_of, stopped[0]) == []


async def test_what_the_database_never_takes_ends_its_own_turn_only(threads: None) -> None:
    """A kind that is not known breaks a constraint, every time."""
    spoiled, other = await write(begun), await write(begun, 1)
    async with writing() as desk:
        first, second = opened(desk, spoiled), opened(desk, other)
        first.add("no such kind", text="x")
        second.add("text", text="fine")
        with pytest.raises(NotSaved):
            await first.committed()
        await second.committed()
    assert desk.texts == ["fine"]


async def test_a_commit_whose_answer_was_lost_is_not_made_twice(threads: None) -> None:
    """The connection breaks after the commit: the log is asked whether it happened."""
    turn = await write(begun)
    async with writing() as desk:
        stream = opened(desk, turn)
        broken = desk.journal._thread.submit(break_after_next_commit).result()
        stream.add("text", text="once")
        await stream.committed()
        assert broken.is_set()
        stream.add("text", text="and on")
        await stream.committed()
    assert await read(log_of, turn[0]) == ["once", "and on"] == desk.texts


async def test_nor_is_one_that_was_made_alone_because_of_another_turn(threads: None) -> None:
    spoiled, other = await write(begun), await write(begun, 1)
    async with writing() as desk:
        first, second = opened(desk, spoiled), opened(desk, other)
        broken = desk.journal._thread.submit(break_after_next_commit).result()
        first.add("no such kind", text="x")
        second.add("text", text="once")
        await second.committed()
        assert broken.is_set()
        with pytest.raises(NotSaved):
            await first.committed()
    assert await read(log_of, other[0]) == ["once"] == desk.texts


async def test_what_a_busy_session_puts_back_still_counts_as_waiting(threads: None) -> None:
    """A session that somebody else has locked for long must not let its provider fill the memory."""
    turn = await write(begun)
    async with writing() as desk:
        stream = opened(desk, turn)
        stream.add("text", text="x" * (FULL_CHARACTERS + 1))
        stream.put_back(stream.take())
        assert stream.is_full
        await stream.committed()
        assert not stream.is_full


async def test_a_provider_that_is_faster_than_the_disk_has_to_wait(threads: None) -> None:
    turn = await write(begun)
    async with writing() as desk:
        stream = opened(desk, turn)
        fullness = [stream.is_full]
        stream.add("text", text="x" * (FULL_CHARACTERS + 1))
        fullness.append(stream.is_full)
        await stream.committed()
        fullness.append(stream.is_full)
    assert fullness == [False, True, False]


def hold(
    session_id: int, held: asyncio.Event, release: asyncio.Event, loop: asyncio.AbstractEventLoop
) -> None:
    """Keeps the session locked in a transaction until told."""
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session_id)
        Session.objects.filter(pk=session_id).update(archived_reason="held")
        loop.call_soon_threadsafe(held.set)
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(timeout=20)


def break_after_next_commit() -> threading.Event:
    """On the writer's own thread: the next commit happens, and its answer never arrives."""
    commit, broken = connection.commit, threading.Event()

    def commit_and_break() -> None:
        del connection.commit
        commit()
        broken.set()
        raise OperationalError("server closed the connection unexpectedly")

    connection.commit = commit_and_break  # type: ignore[method-assign]
    return broken
