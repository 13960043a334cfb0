"""Chat completions with a server that takes no message the real ones would refuse."""

from __future__ import annotations

import json

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
from tests.vendors.running import RunningVendor
from tests.vendors.wish import DEFAULT_TEXT, model_name

pytestmark = pytest.mark.usefixtures("client_closed")

TIME = ToolSpec("get_time", "Says what time it is.")


async def test_an_answer_is_text_and_its_end_with_usage(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai"))
    assert heard.text == DEFAULT_TEXT
    assert heard.end == Finished(FinishReason.STOP, Usage(7, 11))


async def test_the_question_is_asked_as_the_interface_wants(vendor: RunningVendor) -> None:
    await hear(provider_for(vendor, "openai", most_output_tokens=99))
    asked = vendor.exchanges[0]
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "scripted",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Tell me."}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 99,
    }


async def test_a_server_without_keys_is_sent_none(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai", key=""))
    assert isinstance(heard.end, Finished)
    assert "Authorization" not in vendor.exchanges[0].headers


@pytest.mark.parametrize("ending", ["", "/", "/chat/completions"])
async def test_the_address_may_be_given_in_each_usual_way(vendor: RunningVendor, ending: str) -> None:
    heard = await hear(provider_for(vendor.openai + ending, "openai"))
    assert isinstance(heard.end, Finished)


async def test_reasoning_is_told_apart_from_text(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai", model_name(reasoning="let me think", text="42")))
    assert (heard.reasoning, heard.text) == ("letmethink", "42")


async def test_tools_are_called_and_their_results_used(vendor: RunningVendor) -> None:
    model = model_name(call=["get_time", "get_time"], arguments=['{"zone": "UTC"}', '{"zone": "Asia/Tokyo"}'])
    provider = provider_for(vendor, "openai", model)
    question = Asked("What time is it?")
    first = await hear(provider, Prompt((question,), tools=(TIME,)))
    assert [call.arguments for call in first.calls] == ['{"zone": "UTC"}', '{"zone": "Asia/Tokyo"}']
    assert isinstance(first.end, Finished)
    assert first.end.reason is FinishReason.TOOL_CALLS
    results = [Returned(call.id, call.name, "noon") for call in first.calls]
    second = await hear(provider, Prompt((question, Replied(tuple(first.calls)), *results), tools=(TIME,)))
    assert second.text == "The tool said: noon"
    assert vendor.exchanges[0].body["tools"][0]["function"]["name"] == "get_time"


async def test_a_history_with_every_oddity_is_accepted(vendor: RunningVendor) -> None:
    history = (
        Asked("first", name="alice"),
        Asked("second", name="bob"),
        Replied((Reasoning("hm", "signed"),)),
        Replied((Text("Well, "),)),
        Replied((Text("now."), ToolCall("c1", "get_time", "{broken"), ToolCall("c2", "get_time", ""))),
        Returned("c2", "get_time", "noon"),
        Asked("and?"),
    )
    heard = await hear(provider_for(vendor, "openai"), Prompt(history))
    assert isinstance(heard.end, Finished), heard.end
    user, assistant, *results, last = vendor.exchanges[0].body["messages"]
    assert user["content"] == "alice: first\n\nbob: second"
    assert assistant["content"] == "Well, now."
    assert [json.loads(call["function"]["arguments"]) for call in assistant["tool_calls"]] == [
        {"unreadable": "{broken"},
        {},
    ]
    assert {result["tool_call_id"]: result["content"] for result in results} == {
        "c2": "noon",
        "c1": "The outcome of this call is not known.",
    }
    assert last["content"] == "and?"


async def test_an_unfinished_reply_is_gone_on_with_after_its_exact_text(vendor: RunningVendor) -> None:
    provider = provider_for(vendor, "openai", can_continue=True)
    said = DEFAULT_TEXT[:25]
    heard = await hear(provider, Prompt((Asked("Tell me."), Replied((Text(said),))), continues=True))
    assert provider.can_continue
    assert said + heard.text == DEFAULT_TEXT
    assert vendor.exchanges[0].body["add_generation_prompt"] is False


async def test_only_a_server_that_can_is_asked_to_go_on(vendor: RunningVendor) -> None:
    provider = provider_for(vendor, "openai")
    await hear(provider, Prompt((Asked("Tell me."), Replied((Text("Hold"),))), continues=True))
    assert not provider.can_continue
    assert "continue_final_message" not in vendor.exchanges[0].body


@pytest.mark.parametrize(
    ("stop", "reason"),
    [("length", FinishReason.LENGTH), ("content_filter", FinishReason.REFUSED), ("eos", FinishReason.STOP)],
)
async def test_each_reason_to_stop_is_understood(
    vendor: RunningVendor, stop: str, reason: FinishReason
) -> None:
    heard = await hear(provider_for(vendor, "openai", model_name(stop=stop)))
    assert isinstance(heard.end, Finished)
    assert heard.end.reason is reason


async def test_a_reason_to_stop_that_nobody_knows_is_a_failure(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai", model_name(stop="abort")))
    assert heard.text == DEFAULT_TEXT
    assert isinstance(heard.end, Failed)
    assert heard.end.sentence.endswith("broke off its answer: “abort”")


async def test_an_answer_that_ends_at_its_limit_gives_no_tool_call(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai", model_name(call="get_time", stop="length")))
    assert heard.calls == []
    assert isinstance(heard.end, Finished)
    assert heard.end.reason is FinishReason.LENGTH


async def test_the_registry_makes_it(vendor: RunningVendor) -> None:
    settings = ProviderSettings(model="scripted", address=vendor.openai)
    assert (await hear(make_provider("openai_compatible", settings))).text == DEFAULT_TEXT
