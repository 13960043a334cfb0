"""The vendors' server speaks the real protocols: the official clients of both take it for theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest

from tests.vendors.anthropic_wire import SIGNATURE
from tests.vendors.running import RunningVendor
from tests.vendors.wish import DEFAULT_TEXT, model_name

QUESTION: list[Any] = [{"role": "user", "content": "What time is it?"}]
PARAMETERS = {"type": "object", "properties": {"zone": {"type": "string"}}}
OPENAI_TOOL: Any = {"type": "function", "function": {"name": "get_time", "parameters": PARAMETERS}}
ANTHROPIC_TOOL: Any = {"name": "get_time", "input_schema": PARAMETERS}
CALLING = model_name(call="get_time", arguments='{"zone": "Europe/Berlin"}')


@pytest.fixture
def openai_client(vendor: RunningVendor) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=vendor.openai, api_key="sk-a", max_retries=0) as client:
        yield client


@pytest.fixture
def anthropic_client(vendor: RunningVendor) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=vendor.anthropic, api_key="sk-a", max_retries=0) as client:
        yield client


def test_openai_streams_text_and_usage(openai_client: openai.OpenAI) -> None:
    options: Any = {"include_usage": True}
    chunks = list(
        openai_client.chat.completions.create(
            model=model_name(reasoning="let me think"), messages=QUESTION, stream=True, stream_options=options
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == DEFAULT_TEXT
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.completion_tokens == 11


def test_openai_streams_a_tool_call_and_takes_its_result(openai_client: openai.OpenAI) -> None:
    with openai_client.chat.completions.stream(
        model=CALLING, messages=QUESTION, tools=[OPENAI_TOOL]
    ) as stream:
        for _ in stream:
            pass
        message = stream.get_final_completion().choices[0].message
    assert message.tool_calls
    call = message.tool_calls[0]
    assert (call.function.name, call.function.arguments) == ("get_time", '{"zone": "Europe/Berlin"}')
    said: Any = {
        "role": "assistant",
        "tool_calls": [call.model_dump(exclude={"function": {"parsed_arguments"}})],
    }
    result: Any = {"role": "tool", "tool_call_id": call.id, "content": "noon"}
    answer = openai_client.chat.completions.create(model=CALLING, messages=[*QUESTION, said, result])
    assert answer.choices[0].message.content == "The tool said: noon"


def test_openai_answers_in_one_piece(openai_client: openai.OpenAI) -> None:
    answer = openai_client.chat.completions.create(model="scripted", messages=QUESTION)
    assert answer.choices[0].message.content == DEFAULT_TEXT
    calling = openai_client.chat.completions.create(model=CALLING, messages=QUESTION, tools=[OPENAI_TOOL])
    assert calling.choices[0].finish_reason == "tool_calls"
    assert calling.choices[0].message.tool_calls


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("unauthorized", openai.AuthenticationError),
        ("no_model", openai.NotFoundError),
        ("too_many", openai.RateLimitError),
        ("server_error", openai.InternalServerError),
        ("bad_request", openai.BadRequestError),
        ("error_in_stream", openai.APIError),
    ],
)
def test_openai_errors_are_known_to_its_client(
    openai_client: openai.OpenAI, fault: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        list(
            openai_client.chat.completions.create(
                model=model_name(fault=fault), messages=QUESTION, stream=True
            )
        )


def test_a_call_without_a_result_is_refused_as_openai_does(openai_client: openai.OpenAI) -> None:
    call = {"id": "call_9", "type": "function", "function": {"name": "get_time", "arguments": "{}"}}
    said: Any = {"role": "assistant", "tool_calls": [call]}
    with pytest.raises(openai.BadRequestError, match="must be followed"):
        openai_client.chat.completions.create(model="scripted", messages=[*QUESTION, said])


def test_anthropic_streams_thinking_and_text(anthropic_client: anthropic.Anthropic) -> None:
    with anthropic_client.messages.stream(
        model=model_name(reasoning="let me think"), messages=QUESTION, max_tokens=100
    ) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert text == DEFAULT_TEXT
    assert message.content[0].type == "thinking"
    assert (message.content[0].thinking, message.content[0].signature) == ("letmethink", SIGNATURE)
    assert (message.stop_reason, message.usage.output_tokens) == ("end_turn", 11)


def test_anthropic_streams_a_tool_call_and_takes_its_result(anthropic_client: anthropic.Anthropic) -> None:
    with anthropic_client.messages.stream(
        model=CALLING, messages=QUESTION, max_tokens=100, tools=[ANTHROPIC_TOOL]
    ) as stream:
        message = stream.get_final_message()
    call = message.content[0]
    assert call.type == "tool_use"
    assert (call.name, call.input, message.stop_reason) == ("get_time", {"zone": "Europe/Berlin"}, "tool_use")
    said: Any = {"role": "assistant", "content": [call.model_dump(include={"type", "id", "name", "input"})]}
    block = {"type": "tool_result", "tool_use_id": call.id, "content": "noon"}
    result: Any = {"role": "user", "content": [block]}
    answer = anthropic_client.messages.create(
        model=CALLING, max_tokens=100, messages=[*QUESTION, said, result]
    )
    assert answer.content[0].type == "text"
    assert answer.content[0].text == "The tool said: noon"


def test_anthropic_answers_in_one_piece(anthropic_client: anthropic.Anthropic) -> None:
    answer = anthropic_client.messages.create(model="scripted", messages=QUESTION, max_tokens=100)
    assert answer.content[0].type == "text"
    assert answer.content[0].text == DEFAULT_TEXT


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("unauthorized", anthropic.AuthenticationError),
        ("no_model", anthropic.NotFoundError),
        ("too_many", anthropic.RateLimitError),
        ("unavailable", anthropic.InternalServerError),
        ("bad_request", anthropic.BadRequestError),
        ("overloaded", anthropic.APIStatusError),
    ],
)
def test_anthropic_errors_are_known_to_its_client(
    anthropic_client: anthropic.Anthropic, fault: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        list(
            anthropic_client.messages.create(
                model=model_name(fault=fault), messages=QUESTION, max_tokens=100, stream=True
            )
        )


def test_a_reply_begun_for_it_is_refused_as_anthropic_does(anthropic_client: anthropic.Anthropic) -> None:
    begun: Any = {"role": "assistant", "content": "It is"}
    with pytest.raises(anthropic.BadRequestError, match="prefill"):
        anthropic_client.messages.create(model="scripted", messages=[*QUESTION, begun], max_tokens=100)
