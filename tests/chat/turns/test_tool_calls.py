"""Tools in a turn: only what was offered is run, each call has a result of its own, and each end is told."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError

from chat.database_threads import write
from chat.events import Failed, Prompt, Returned, Text, ToolCall
from chat.turns import runner
from chat.turns.history import going_on
from chat.turns.tool_calls import NOT_MADE
from chat.turns.tools import CALLS_PER_TURN
from sessions_app.models import Agent, Message, TurnState
from tests.chat.live import Live, words
from tests.chat.turns.scripted import Script

DONE = [Text("done")]


def calculation(expression: str, *, call_id: str = "1") -> ToolCall:
    return ToolCall(call_id, "calculator", f'{{"expression": "{expression}"}}')


async def test_a_tool_that_was_not_offered_is_not_run(live: Live, script: Script) -> None:
    await write(Agent.objects.update, tools=["time"])
    script.rounds = [[calculation("6*7")], DONE]
    [result] = parts(await live.reply_to(await live.say("hello")), "tool_result")
    assert (result["status"], "42" in result["output"]) == ("error", False)
    assert result["output"] == "There is no tool called “calculator”; there is time."


async def test_calls_of_one_id_are_told_apart(live: Live, script: Script) -> None:
    """Some servers give every call the same id, or count anew in every round."""
    script.rounds = [[calculation("1+1"), calculation("2+2")], [calculation("3+3")], DONE]
    reply = await live.reply_to(await live.say("hello"))
    calls, results = parts(reply, "tool_call"), parts(reply, "tool_result")
    assert [call["status"] for call in calls] == ["ok"] * 3
    assert len({call["id"] for call in calls}) == 3
    assert {result["id"]: result["output"] for result in results} == {
        call["id"]: output for call, output in zip(calls, ("2", "4", "6"), strict=True)
    }
    assert [each.output for each in _returned(script.prompts[-1])] == ["2", "4", "6"]


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ([calculation("1+1")] * (CALLS_PER_TURN + 1), runner.TOO_MANY_CALLS),
        ([calculation("1+1"), Failed("It gave up.")], "It gave up."),
    ],
)
async def test_calls_that_are_not_made_are_said_to_be_so(
    live: Live, script: Script, last: list[Any], reason: str
) -> None:
    script.rounds = [last]
    posted = await live.say("hello")
    turn, reply = await live.ended(posted), await live.reply_to(posted)
    assert (turn.state, turn.reason) == (TurnState.FAILED, reason)
    assert {call["status"] for call in parts(reply, "tool_call")} == {"error"}
    assert {result["output"] for result in parts(reply, "tool_result")} == {NOT_MADE}


async def test_a_database_that_is_away_between_two_rounds_is_waited_for(
    live: Live, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.rounds = [[calculation("1+1")], DONE]
    monkeypatch.setattr(runner, "going_on", _away_at_first(going_on))
    posted = await live.say("hello")
    assert (await live.ended(posted)).state == TurnState.COMPLETED
    assert words(await live.reply_to(posted)) == "done"


async def test_a_provider_that_breaks_its_promise_fails_its_own_turn_only(live: Live, script: Script) -> None:
    script.rounds = [[Text("so far"), RuntimeError("boom")], DONE]
    broken, next_one = await live.say("hello"), await live.say("again")
    assert (await live.ended(broken)).state == TurnState.FAILED
    assert words(await live.reply_to(broken)) == "so far"
    assert (await live.ended(next_one)).state == TurnState.COMPLETED


def parts(reply: Message, kind: str) -> list[dict[str, Any]]:
    return [part for part in reply.folded["parts"] if part["kind"] == kind]


def _returned(prompt: Prompt) -> list[Returned]:
    return [message for message in prompt.messages if isinstance(message, Returned)]


def _away_at_first(function: Any) -> Any:
    answers = iter([OperationalError("server closed the connection unexpectedly")])

    def away_or_there(*args: Any, **kwargs: Any) -> Any:
        for error in answers:
            raise error
        return function(*args, **kwargs)

    return away_or_there
