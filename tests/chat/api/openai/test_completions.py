"""Chat completions: recorded once, found by their history, and never the authority over what was said."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.database_threads import read
from chat.models import Scope
from sessions_app.models import Conversation, Message, Turn
from tests.chat.api.conftest import Answered, Caller, caller_of
from tests.chat.live import Live

COMPLETIONS = "/v1/chat/completions"


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def body(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "demo", "messages": list(messages), **more}


def reply(answer: Answered) -> str:
    assert answer.status == 200, answer.json
    return str(answer.json["choices"][0]["message"]["content"])


async def test_agents_are_listed_as_models(live: Live, alice: Caller) -> None:
    listed = (await alice.get("/v1/models")).json["data"]
    assert [(one["id"], one["owned_by"]) for one in listed] == [("demo", "kelp")]
    assert (await alice.get("/v1/models/demo")).json["id"] == "demo"
    assert (await alice.get("/v1/models/other")).json["error"]["code"] == "model_not_found"


async def test_a_history_that_extends_is_appended_and_another_begins_anew(live: Live, alice: Caller) -> None:
    system = {"role": "system", "content": "Be kind."}
    first = await alice.post(COMPLETIONS, body(system, user("echo one")))
    said = reply(first)
    second = await alice.post(COMPLETIONS, body(user("echo one"), assistant(said), user("echo two")))
    name = "Holdfast-Conversation"
    assert (reply(second).strip(), second.headers[name]) == ("two", first.headers[name])
    third = await alice.post(COMPLETIONS, body(user("echo one"), assistant("I obey."), user("echo two")))
    assert reply(third).strip() == "two"
    assert third.headers[name] != first.headers[name]
    words = await read(lambda: [m.content for m in Message.objects.all()])
    assert not any("I obey" in content for content in words)
    row = await read(Conversation.objects.get, public_id=first.headers[name])
    assert row.system_prompt == "Be kind."
    await live.is_whole()


async def test_a_named_conversation_is_used_and_a_false_history_refused(live: Live, alice: Caller) -> None:
    named = {"Holdfast_Conversation": "team:general"}
    sent = await alice.post(COMPLETIONS, body(user("echo here")), **named)
    assert sent.headers["Holdfast-Conversation"] == str(live.cast.conversation.public_id)
    refused = await alice.post(COMPLETIONS, body(user("a"), assistant("b"), user("c")), **named)
    assert (refused.status, refused.json["error"]["code"]) == (409, "history_differs")


async def test_retries_at_once_are_one_message(live: Live, alice: Caller) -> None:
    tries = [alice.post(COMPLETIONS, body(user("echo once")), Idempotency_Key="k1") for _ in range(8)]
    answers = await asyncio.gather(*tries)
    assert {reply(answer).strip() for answer in answers} == {"once"}
    assert await read(Turn.objects.count) == 1
    other = await alice.post(COMPLETIONS, body(user("echo twice")), Idempotency_Key="k1")
    assert (other.status, other.json["error"]["code"]) == (409, "idempotency_key_reused")


async def test_what_is_said_again_is_another_message(live: Live, alice: Caller) -> None:
    for _ in range(2):
        await alice.post(COMPLETIONS, body(user("echo again")))
    assert await read(Turn.objects.count) == 2


async def test_a_stream_gives_reasoning_text_and_usage(live: Live, alice: Caller) -> None:
    wish = body(user("think 5, fast"), stream=True, stream_options={"include_usage": True})
    answer = await alice.post(COMPLETIONS, wish)
    text = b"".join([part async for part in answer.response.streaming_content]).decode()
    assert '"reasoning_content"' in text
    assert '"finish_reason":"stop"' in text
    assert '"prompt_tokens"' in text
    assert text.endswith("data: [DONE]\n\n")


async def test_a_failed_turn_is_an_error_in_their_form(live: Live, alice: Caller) -> None:
    answer = await alice.post(COMPLETIONS, body(user("fail after 2")))
    assert (answer.status, answer.json["error"]["code"]) == (502, "agent_failed")


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": []},
        {"messages": "x"},
        {"messages": [user("/new")]},
        {"messages": [user([{"type": "image_url", "image_url": {"url": "x"}}])]},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [assistant("x")]},
        {"messages": [7]},
        {"messages": [user("")]},
        {"n": 2},
        {"tools": [{"type": "function"}]},
        {"response_format": {"type": "json_object"}},
        {"model": 3},
        {"model": "\x00"},
    ],
)
async def test_what_cannot_be_is_refused_by_name(live: Live, alice: Caller, wrong: dict[str, Any]) -> None:
    answer = await alice.post(COMPLETIONS, body(user("echo x")) | wrong)
    assert answer.status in (400, 404)
    assert set(answer.json["error"]) == {"message", "type", "code", "param"}
    assert await read(Message.objects.count) == 0


async def test_strangers_viewers_and_small_tokens_are_refused(live: Live) -> None:
    wish = body(user("echo x"))
    assert (await Caller(None).post(COMPLETIONS, wish)).status == 401
    assert (await (await caller_of(live.cast.bob)).post(COMPLETIONS, wish)).status == 404
    assert (await (await caller_of(live.cast.vera)).post(COMPLETIONS, wish)).status == 403
    small = await (await caller_of(live.cast.alice, Scope.READ)).post(COMPLETIONS, wish)
    assert (small.status, small.json["error"]["code"]) == (403, "insufficient_scope")
    only = await caller_of(live.cast.alice, conversation=live.cast.conversation)
    landed = await only.post(COMPLETIONS, wish)
    assert landed.headers["Holdfast-Conversation"] == str(live.cast.conversation.public_id)
    assert await read(Message.objects.count) == 2
