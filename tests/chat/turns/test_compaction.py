"""Room in a model's context: the model is sent a summary, people go on reading every word."""

from __future__ import annotations

import pytest

from chat.database_threads import read, write
from chat.turns.compaction import NothingToSumUp, compact_on_request
from chat.turns.history import Context, context_now, context_of
from sessions_app.errors import NotAllowed
from sessions_app.models import Agent, Checkpoint, CheckpointKind, Conversation, SessionEvent, Turn
from sessions_app.services.history import history
from sessions_app.services.restore import restore_checkpoint
from tests.chat.live import Live
from tests.sessions_app.conftest import PAGE

LONG = "echo " + "all about kelp and tides " * 60


async def test_a_full_context_is_summed_up_before_the_next_answer(live: Live) -> None:
    await write(Agent.objects.update, context_limit=1500)
    posted = [await live.say(f"{LONG} {number}") for number in range(5)]
    for one in posted:
        await live.ended(one)
    assert await read(_summaries)
    context = await read(_context_of, await live.turn_of(posted[-1]))
    assert context.tokens < 1500
    assert "summary of the conversation" in context.prompt.system
    assert context.digest == (await live.turn_of(posted[-1])).context_digest
    assert len(await read(_history)) == 10
    await live.is_whole()


async def test_restoring_the_checkpoint_gives_the_full_context_back(live: Live) -> None:
    for number in range(3):
        await live.ended(await live.say(f"echo number {number}"))
    before = await read(_context_now)
    await compact_on_request(live.cast.conversation, by=live.cast.alice)
    assert (await read(_context_now)).tokens != before.tokens
    await write(_restore)
    assert (await read(_context_now)).prompt.messages == before.prompt.messages
    await live.is_whole()


async def test_a_conversation_with_nothing_to_sum_up_is_left_alone(live: Live) -> None:
    with pytest.raises(NothingToSumUp):
        await compact_on_request(live.cast.conversation, by=live.cast.alice)
    assert not await read(_summaries)


async def test_who_may_only_view_cannot_ask_for_it(live: Live) -> None:
    await live.ended(await live.say("echo hello"))
    with pytest.raises(NotAllowed):
        await compact_on_request(live.cast.conversation, by=live.cast.vera)


def _summaries() -> list[SessionEvent]:
    return list(SessionEvent.objects.filter(kind="compacted"))


def _history() -> list[object]:
    return list(history(Conversation.objects.get().active_session))


def _context_now() -> Context:
    related = ("active_session", "agent", "workspace")
    found = context_now(Conversation.objects.select_related(*related).get())
    assert found is not None
    return found


def _context_of(turn: Turn) -> Context:
    return context_of(Turn.objects.get(pk=turn.pk))


def _restore() -> None:
    checkpoint = Checkpoint.objects.filter(kind=CheckpointKind.COMPACTION).get()
    restore_checkpoint(checkpoint, by=None, origin=PAGE)
