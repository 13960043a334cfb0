"""What a process does with turns that others end under its hands, for good or by purging them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator

import pytest
from django.db import transaction
from structlog.testing import capture_logs

from chat.database_threads import read, write
from chat.turns.journal_writer import JournalWriter
from chat.turns.recovery import recover, recover_turn
from chat.turns.runner import Runner, RunningTurn
from chat.turns.supervisor import Supervisor
from sessions_app.models import Agent, Conversation, Turn, TurnState
from sessions_app.services.conversations import start_conversation
from sessions_app.services.ending import stop_turn
from sessions_app.services.purge import purge_conversation
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.chat.live import PATIENCE_SECONDS, Live, eventually
from tests.chat.turns.test_recovery import left_behind
from tests.sessions_app.acting import append_events
from tests.sessions_app.conftest import PAGE
from tests.sessions_app.services.writers import say, start_team
from tests.vendors.running import RunningVendor


async def test_a_purge_while_an_agent_answers_ends_it_in_silence(live: Live) -> None:
    with capture_logs() as logs:
        posted = await live.say("tokens 5000 at 200/s")
        await eventually(lambda: _is_running(live, posted.turn))
        await write(purge, live.cast.conversation)
        await eventually(lambda: _holds_nothing(live))
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []


async def test_a_turn_that_is_purged_while_it_is_claimed_keeps_nobody_from_the_next(threads: None) -> None:
    """The queue was read, then the conversation was purged, then the claim begins."""
    conversation = await write(start_team)
    other = await write(_another, conversation)
    await write(say, conversation)
    has_purged, may_commit = threading.Event(), threading.Event()
    purging = asyncio.create_task(write(_purge_slowly, conversation, has_purged, may_commit))
    assert await asyncio.to_thread(has_purged.wait, PATIENCE_SECONDS)
    async with supervising() as supervisor:
        await eventually(lambda: _is_claiming(supervisor))
        may_commit.set()
        await purging
        posted = await write(say, other, "echo still there")
        await eventually(lambda: _has_ended(posted.turn))


@pytest.mark.usefixtures("fresh_database")
def test_a_turn_that_is_purged_while_it_is_recovered_is_no_trouble() -> None:
    turn = Turn.objects.select_related("agent", "session").get(pk=left_behind("word1 ").turn_id)
    purge(Conversation.objects.get())
    with capture_logs() as logs:
        assert recover_turn(turn, "me") is None
    assert logs == []


@pytest.mark.usefixtures("fresh_database")
def test_a_turn_that_cannot_be_read_keeps_no_other_from_being_recovered() -> None:
    """Nor the server from starting: recovery comes before its first request."""
    broken = left_behind()
    append_events(broken, ("text", {"no": "text"}))
    other = _left_behind_in(_another(Conversation.objects.get()))
    recover("me")
    assert Turn.objects.get(pk=other.turn_id).owner == "me"


async def test_an_agent_is_not_asked_for_a_turn_that_has_ended(vendor: RunningVendor, threads: None) -> None:
    lease = await write(_claimed)
    await write(Agent.objects.update, provider="openai_compatible", model="scripted", address=vendor.openai)
    await write(stop_turn, await read(Turn.objects.get, pk=lease.turn_id), by=None)
    journal = JournalWriter(lambda pieces: None)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await Runner(journal, lambda place: None).run(RunningTurn(lease))
    journal.close()
    assert vendor.exchanges == []


@contextlib.asynccontextmanager
async def supervising() -> AsyncIterator[Supervisor]:
    """A supervisor that lives until the end of the block."""
    journal = JournalWriter(lambda pieces: None)
    supervisor = Supervisor("me", Runner(journal, lambda place: None), lambda place: None)
    tasks = [asyncio.create_task(journal.run()), asyncio.create_task(supervisor.run())]
    try:
        yield supervisor
        assert not any(task.done() for task in tasks)
    finally:
        await supervisor.drain(seconds=1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        journal.close()


def purge(conversation: Conversation) -> None:
    now = Conversation.objects.get(pk=conversation.pk)
    assert now.started_by is not None
    purge_conversation(now, by=now.started_by, confirmation=now.key, origin=PAGE)


def _purge_slowly(
    conversation: Conversation, has_purged: threading.Event, may_commit: threading.Event
) -> None:
    with transaction.atomic():
        purge(conversation)
        has_purged.set()
        assert may_commit.wait(PATIENCE_SECONDS)


def _another(conversation: Conversation) -> Conversation:
    found = Conversation.objects.select_related("workspace", "agent").get(pk=conversation.pk)
    return start_conversation(found.workspace, by=found.started_by, key="other", agent=found.agent)


def _claimed() -> Lease:
    turn = say(start_team()).turn
    assert turn is not None
    return claim_turn(turn, owner="me")


def _left_behind_in(conversation: Conversation) -> Lease:
    turn = say(conversation).turn
    assert turn is not None
    return claim_turn(turn, owner="gone")


async def _is_running(live: Live, turn: Turn | None) -> bool:
    assert turn is not None
    return await read(Turn.objects.filter(pk=turn.pk, state=TurnState.RUNNING).exists)


async def _has_ended(turn: Turn | None) -> bool:
    assert turn is not None
    return await read(Turn.objects.filter(pk=turn.pk, state=TurnState.COMPLETED).exists)


async def _holds_nothing(live: Live) -> bool:
    return not live.runtime.supervisor._running


async def _is_claiming(supervisor: Supervisor) -> bool:
    return bool(supervisor._claiming)
