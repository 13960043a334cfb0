"""The events of a chat completion, in forms that the local server does not send."""

from __future__ import annotations

import json

import pytest
from yarl import URL

from chat.events import AgentEvent, Finished, FinishReason, Reasoning, Text, ToolCall, Usage
from chat.providers.failures import VendorFailure
from chat.providers.openai_reading import CompletionReading
from chat.providers.question import Question
from chat.providers.shapes import Misshapen
from chat.providers.sse import ServerSentEvent

QUESTION = Question(URL("http://vendor.example/v1"), "m", b"", {})


def chunk(delta: object = None, reason: object = None, **more: object) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **more})


def said(*events: str, name: str = "") -> list[AgentEvent]:
    reading = CompletionReading(QUESTION)
    heard = [found for data in events for found in reading.read(ServerSentEvent(name, data))]
    return [*heard, *reading.conclude()]


DONE = "[DONE]"
STOP = chunk({}, "stop")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_both_names_of_reasoning_are_known(field: str) -> None:
    assert said(chunk({field: "hm"}), STOP)[0] == Reasoning("hm")


def test_reasoning_under_both_names_is_said_once() -> None:
    assert said(chunk({"reasoning": "hm", "reasoning_content": "hm"}), STOP)[:-1] == [Reasoning("hm")]


def test_content_in_parts_is_read() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "so"},
    ]
    assert said(chunk({"content": parts}), STOP)[:-1] == [Reasoning("hm"), Text("so")]


def test_a_refusal_is_text() -> None:
    assert said(chunk({"refusal": "No."}), chunk({}, "content_filter")) == [
        Text("No."),
        Finished(FinishReason.REFUSED, None),
    ]


def test_text_in_the_last_event_with_its_reason_is_kept() -> None:
    assert said(chunk({"content": "end"}, "stop"))[0] == Text("end")


def test_a_character_cut_into_halves_over_two_events_is_whole() -> None:
    events = [
        r'{"choices":[{"delta":{"content":"a\ud83d"}}]}',
        r'{"choices":[{"delta":{"content":"\ude42b"}}]}',
    ]
    assert [event for event in said(*events, STOP) if isinstance(event, Text)] == [Text("a"), Text("🙂b")]


def test_half_a_character_at_the_end_is_visibly_replaced() -> None:
    assert said(r'{"choices":[{"delta":{"content":"a\ud83d"}}]}', STOP)[:-1] == [Text("a"), Text("\ufffd")]


@pytest.mark.parametrize("delta", [None, {}, {"content": None}, {"content": ""}, {"tool_calls": None}])
def test_an_empty_delta_says_nothing(delta: object) -> None:
    assert said(chunk(delta), STOP) == [Finished(FinishReason.STOP, None)]


def test_the_last_usage_counts() -> None:
    first, last = (
        {"prompt_tokens": 1, "completion_tokens": 1},
        {"prompt_tokens": 5, "completion_tokens": None},
    )
    events = said(chunk({}, usage=first), STOP, json.dumps({"choices": [], "usage": last}), DONE)
    assert events == [Finished(FinishReason.STOP, Usage(5, 0))]


def test_done_without_a_reason_is_believed() -> None:
    assert said(chunk({"content": "a"}), DONE) == [Text("a"), Finished(FinishReason.STOP, None)]


def test_done_without_a_reason_is_not_believed_with_half_a_call() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "look", "arguments": '{"x'}}
    with pytest.raises(VendorFailure, match="broke off"):
        said(chunk({"tool_calls": [call]}), DONE)


def test_calls_that_end_with_an_ordinary_stop_are_calls() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "look", "arguments": "{}"}}
    assert said(chunk({"tool_calls": [call]}), STOP) == [
        ToolCall("a", "look", "{}"),
        Finished(FinishReason.TOOL_CALLS, None),
    ]


def test_a_stop_for_calls_without_any_is_an_ordinary_stop() -> None:
    assert said(chunk({}, "tool_calls")) == [Finished(FinishReason.STOP, None)]


def test_what_follows_the_end_is_not_read() -> None:
    assert said(chunk({"content": "a"}, "stop"), DONE, DONE, "nonsense")[:-1] == [Text("a")]


@pytest.mark.parametrize(
    "event",
    [
        "not json",
        "null",
        "[]",
        '"text"',
        '{"choices": {}, "error": null}x',
        '{"choices": 1}',
        '{"choices": [1]}',
        '{"choices": [{"delta": "text"}]}',
        '{"choices": [{"delta": {"content": 1}}]}',
        '{"choices": [{"delta": {"content": {"text": "a"}}}]}',
        '{"choices": [{"delta": {"content": ["a"]}}]}',
        '{"choices": [{"delta": {"tool_calls": {}}}]}'.replace("{}", '{"a": 1}'),
        '{"choices": [{"finish_reason": 1}]}',
        '{"usage": 1}',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_refused_and_not_passed_over(event: str) -> None:
    with pytest.raises(Misshapen):
        said(event, STOP)


def test_a_call_without_a_name_is_refused() -> None:
    with pytest.raises(Misshapen):
        said(chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}), STOP)


@pytest.mark.parametrize(
    ("event", "is_passing"),
    [
        ('{"error": {"message": "It broke.", "type": "server_error"}}', True),
        ('{"error": {"message": "It broke.", "code": 429}}', True),
        ('{"error": {"message": "It broke.", "code": 400}}', False),
        ('{"error": "It broke."}', False),
    ],
)
def test_an_error_in_the_stream_is_quoted(event: str, is_passing: bool) -> None:
    with pytest.raises(VendorFailure, match=r"^vendor\.example gave up its answer: “It broke\.”$") as caught:
        said(event)
    assert caught.value.is_worth_another_try is is_passing


def test_an_event_that_is_named_error_is_one() -> None:
    with pytest.raises(VendorFailure, match="“It broke"):
        said('{"message": "It broke."}', name="error")


def test_text_beside_an_error_is_kept() -> None:
    reading = CompletionReading(QUESTION)
    reader = reading.read(
        ServerSentEvent("", chunk({"content": "a"}, "error", error={"message": "It broke."}))
    )
    assert next(reader) == Text("a")
    with pytest.raises(VendorFailure, match="It broke"):
        next(reader)
