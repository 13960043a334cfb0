"""A turn from its first word to its end, with the demo agent and the built-in tools."""

from __future__ import annotations

import json

from chat.database_threads import read, write
from chat.events import Asked
from chat.providers.demo import expected_text
from chat.turns.history import context_of
from sessions_app.models import Agent, EventKind, SessionEvent, Turn, TurnState
from tests.chat.live import Live, words


async def test_an_answer_is_streamed_sealed_and_completed(live: Live) -> None:
    posted = await live.say("tokens 40 at 0/s")
    turn = await live.ended(posted)
    assert turn.state == TurnState.COMPLETED
    assert words(await live.reply_to(posted)) == expected_text("tokens 40 at 0/s")
    await live.is_whole()


async def test_reasoning_and_tools_are_in_the_log_in_the_order_they_happened(live: Live) -> None:
    reply = await live.reply_to(await live.say("think\nat 0/s\ntool calculator 2*(3+4)"))
    kinds = [part["kind"] for part in reply.folded["parts"]]
    assert kinds[0] == "reasoning"
    assert kinds.index("tool_call") < kinds.index("tool_result") < len(kinds) - 1
    [result] = [part for part in reply.folded["parts"] if part["kind"] == "tool_result"]
    assert (result["status"], result["output"]) == ("ok", "14")
    await live.is_whole()


async def test_an_agent_that_fails_says_why_and_keeps_its_words(live: Live) -> None:
    posted = await live.say("tokens 50 at 0/s; fail after 20")
    turn = await live.ended(posted)
    reply = await live.reply_to(posted)
    assert turn.state == TurnState.FAILED
    assert turn.reason
    assert words(reply) == expected_text("tokens 20 at 0/s")
    assert reply.folded["parts"][-1] == {"kind": "error", "text": turn.reason}


async def test_an_answer_that_ends_at_its_limit_is_whole_and_says_so(live: Live) -> None:
    turn = await live.ended(await live.say("tokens 50 at 0/s; length after 20"))
    assert (turn.state, turn.reason) == (TurnState.COMPLETED, "The answer ended at its length limit.")


async def test_an_agent_of_an_unknown_provider_says_so(live: Live) -> None:
    await write(Agent.objects.filter(pk=live.cast.agent.pk).update, provider="nobody")
    turn = await live.ended(await live.say("hello"))
    assert (turn.state, turn.reason) == (TurnState.FAILED, "This version has no provider called “nobody”.")
    await live.is_whole()


async def test_what_was_sent_can_be_built_again_from_the_log(live: Live) -> None:
    """Also after more was said, settings were changed and a message was withdrawn."""
    first = await live.say("echo one")
    await live.ended(first)
    second = await live.say("tool time, at 0/s")
    await live.ended(second)
    await write(Agent.objects.filter(pk=live.cast.agent.pk).update, system_prompt="Be brief.", tools=[])
    await live.ended(await live.say("echo three"))
    for posted in (first, second):
        turn = await live.turn_of(posted)
        assert turn.context_digest
        assert (await read(context_of, await read(_whole, turn))).digest == turn.context_digest


async def test_a_turn_is_told_what_was_said_before_and_nothing_that_waits(live: Live) -> None:
    running = await live.say("tokens 400 at 200/s")
    waiting = [await live.say("echo second"), await live.say("echo third")]
    for posted in (running, *waiting):
        await live.ended(posted)
    context = await read(context_of, await read(_whole, await live.turn_of(waiting[0])))
    asked = [message.text for message in context.prompt.messages if isinstance(message, Asked)]
    assert asked == ["tokens 400 at 200/s", "echo second"]


async def test_a_call_is_committed_before_it_runs_and_its_result_before_it_is_used(live: Live) -> None:
    reply = await live.reply_to(await live.say("tools 3, at 0/s"))
    events = await read(_events, reply.pk)
    calls = [kind for kind, _ in events if kind in (EventKind.TOOL_CALL, EventKind.TOOL_RESULT)]
    assert calls == [EventKind.TOOL_CALL, EventKind.TOOL_RESULT] * 3


def _whole(turn: Turn) -> Turn:
    related = ("reply", "question__author", "session__conversation", "continues", "supersedes")
    return Turn.objects.select_related(*related).get(pk=turn.pk)


def _events(message_id: int) -> list[tuple[str, dict[str, object]]]:
    events = SessionEvent.objects.filter(message_id=message_id).order_by("seq")
    return [(event.kind, json.loads(event.payload)) for event in events]
