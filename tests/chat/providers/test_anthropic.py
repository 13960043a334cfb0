"""Anthropic's messages interface with a server that takes no message the real one would refuse."""

from __future__ import annotations

import pytest

from chat.events import (
    Asked,
    Failed,
    Finished,
    FinishReason,
    Prompt,
    Reasoning,
    Replied,
    Returned,
    Text,
    ToolCall,
    ToolSpec,
    Usage,
)
from chat.providers.base import ProviderSettings
from chat.providers.registry import make_provider
from tests.chat.providers.hearing import KEY, hear, provider_for
from tests.vendors.anthropic_wire import SIGNATURE
from tests.vendors.running import RunningVendor
from tests.vendors.wish import DEFAULT_TEXT, model_name

pytestmark = pytest.mark.usefixtures("client_closed")

TIME = ToolSpec("get_time", "Says what time it is.")


async def test_an_answer_is_text_and_its_end_with_usage(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "anthropic"))
    assert heard.text == DEFAULT_TEXT
    assert heard.end == Finished(FinishReason.STOP, Usage(7, 11))


async def test_the_question_is_asked_as_the_interface_wants(vendor: RunningVendor) -> None:
    await hear(provider_for(vendor, "anthropic", most_output_tokens=99))
    asked = vendor.exchanges[0]
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert asked.body == {
        "model": "scripted",
        "max_tokens": 99,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Tell me."}]}],
        "stream": True,
    }


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/messages"])
async def test_the_address_may_be_given_in_each_usual_way(vendor: RunningVendor, ending: str) -> None:
    heard = await hear(provider_for(vendor.anthropic + ending, "anthropic"))
    assert isinstance(heard.end, Finished)


async def test_thinking_comes_with_its_signature_at_its_end(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "anthropic", model_name(reasoning="let me think", text="42")))
    thoughts = [event for event in heard.events if isinstance(event, Reasoning)]
    assert [thought.text for thought in thoughts] == ["let", "me", "think", ""]
    assert [thought.signature for thought in thoughts] == ["", "", "", SIGNATURE]
    assert heard.text == "42"


async def test_tools_are_called_after_signed_thinking_and_their_results_used(vendor: RunningVendor) -> None:
    model = model_name(reasoning="hm", call=["get_time", "get_date"], arguments=['{"zone": "UTC"}'])
    provider = provider_for(vendor, "anthropic", model)
    question = Asked("What time is it?")
    first = await hear(provider, Prompt((question,), tools=(TIME,)))
    assert [(call.name, call.arguments) for call in first.calls] == [
        ("get_time", '{"zone": "UTC"}'),
        ("get_date", "{}"),
    ]
    assert isinstance(first.end, Finished)
    assert first.end.reason is FinishReason.TOOL_CALLS
    said = Replied((Reasoning(first.reasoning, SIGNATURE), *first.calls))
    results = [Returned(call.id, call.name, "noon") for call in first.calls]
    second = await hear(provider, Prompt((question, said, *results), tools=(TIME,)))
    assert second.text == "The tool said: noon"
    assert vendor.exchanges[1].body["messages"][1]["content"][0]["signature"] == SIGNATURE
    assert vendor.exchanges[0].body["tools"][0]["input_schema"] == {"type": "object", "properties": {}}


async def test_a_history_with_every_oddity_is_accepted(vendor: RunningVendor) -> None:
    history = (
        Replied((Text("Welcome."),)),
        Asked("first", name="alice"),
        Asked(" \n"),
        Asked("second", name="bob"),
        Replied((Reasoning("cut off before its signature"),)),
        Replied(
            (Text("Well."), ToolCall("functions.get:0", "get_time", "[1]"), ToolCall("c2", "get_time", ""))
        ),
        Returned("c2", "get_time", "noon"),
        Asked("and?"),
    )
    heard = await hear(provider_for(vendor, "anthropic"), Prompt(history))
    assert isinstance(heard.end, Finished), heard.end
    opening, welcome, asked, said, last = vendor.exchanges[0].body["messages"]
    assert (opening["role"], welcome["content"]) == ("user", [{"type": "text", "text": "Welcome."}])
    assert [block["text"] for block in asked["content"]] == ["alice: first", "bob: second"]
    assert [block["type"] for block in said["content"]] == ["text", "tool_use", "tool_use"]
    assert (said["content"][1]["id"], said["content"][1]["input"]) == (
        "functions_get_0",
        {"unreadable": "[1]"},
    )
    assert [(block.get("tool_use_id"), block.get("is_error")) for block in last["content"]] == [
        ("c2", False),
        ("functions_get_0", True),
        (None, None),
    ]


async def test_an_unfinished_reply_cannot_be_gone_on_with(vendor: RunningVendor) -> None:
    assert not provider_for(vendor, "anthropic", can_continue=True).can_continue


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("max_tokens", FinishReason.LENGTH),
        ("model_context_window_exceeded", FinishReason.LENGTH),
        ("refusal", FinishReason.REFUSED),
        ("stop_sequence", FinishReason.STOP),
    ],
)
async def test_each_reason_to_stop_is_understood(
    vendor: RunningVendor, stop: str, reason: FinishReason
) -> None:
    heard = await hear(provider_for(vendor, "anthropic", model_name(stop=stop)))
    assert isinstance(heard.end, Finished)
    assert heard.end.reason is reason


async def test_a_reason_to_stop_that_nobody_knows_is_a_failure(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "anthropic", model_name(stop="sudden_end")))
    assert isinstance(heard.end, Failed)


async def test_an_answer_that_ends_at_its_limit_gives_no_tool_call(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "anthropic", model_name(call="get_time", stop="max_tokens")))
    assert heard.calls == []
    assert isinstance(heard.end, Finished)
    assert heard.end.reason is FinishReason.LENGTH


async def test_the_registry_makes_it(vendor: RunningVendor) -> None:
    settings = ProviderSettings(model="scripted", address=vendor.anthropic, key=KEY)
    assert (await hear(make_provider("anthropic", settings))).text == DEFAULT_TEXT
