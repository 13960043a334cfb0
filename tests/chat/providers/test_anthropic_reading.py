"""The events of Anthropic's messages, in forms that the local server does not send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from yarl import URL

from chat.events import AgentEvent, Finished, FinishReason, Reasoning, Replied, Text, Usage
from chat.providers.anthropic_messages import blocks_of
from chat.providers.anthropic_reading import MessageReading
from chat.providers.failures import VendorFailure
from chat.providers.question import Question
from chat.providers.shapes import Misshapen
from chat.providers.sse import ServerSentEvent

QUESTION = Question(URL("http://vendor.example"), "m", b"", {})

Event = dict[str, Any]

BEGIN: Event = {
    "type": "message_start",
    "message": {"usage": {"input_tokens": 5, "cache_read_input_tokens": 3}},
}
STOP: Event = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}


def block(kind: str, index: int = 0, **fields: object) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": {"type": kind, **fields}}


def delta(kind: str, index: int = 0, **fields: object) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def said(*events: Event) -> list[AgentEvent]:
    reading = MessageReading(QUESTION)
    heard = [found for event in events for found in reading.read(ServerSentEvent("", json.dumps(event)))]
    return [*heard, *reading.conclude()]


def test_tokens_from_the_cache_are_counted_too() -> None:
    assert said(BEGIN, STOP) == [Finished(FinishReason.STOP, Usage(8, 9))]


def test_text_that_comes_with_the_beginning_of_its_block_is_kept() -> None:
    assert said(block("text", text="Hi"), delta("text_delta", text=" there"), STOP)[:2] == [
        Text("Hi"),
        Text(" there"),
    ]


def test_hidden_thinking_is_kept_and_can_be_sent_back() -> None:
    thought, _ = said(block("redacted_thinking", data="abc"), STOP)
    assert isinstance(thought, Reasoning)
    assert thought.text == ""
    assert blocks_of(Replied((thought,))) == [{"type": "redacted_thinking", "data": "abc"}]


def test_thinking_without_a_signature_is_not_sent_back() -> None:
    assert blocks_of(Replied((Reasoning("hm"), Text("so")))) == [{"type": "text", "text": "so"}]


def test_kinds_that_are_not_known_are_passed_over() -> None:
    events = said(
        {"type": "news"}, block("text"), delta("citations_delta", citation={}), {"type": "ping"}, STOP
    )
    assert events == [Finished(FinishReason.STOP, Usage(0, 9))]


@pytest.mark.parametrize(
    "events",
    [
        [BEGIN, BEGIN],
        [block("text"), block("text")],
        [delta("text_delta", text="a")],
        [block("text"), delta("text_delta", text=1)],
        [block("text"), {"type": "content_block_delta", "index": 0, "delta": None}],
        [{"type": "content_block_start", "content_block": {"type": "text"}}],
        [{"no": "type"}],
        [{"type": "message_delta", "delta": {"stop_reason": 1}}],
    ],
)
def test_what_cannot_be_read_is_refused_and_not_passed_over(events: list[Event]) -> None:
    with pytest.raises(Misshapen):
        said(*events, STOP)


@pytest.mark.parametrize(
    ("kind", "is_passing"),
    [("overloaded_error", True), ("api_error", True), ("invalid_request_error", False)],
)
def test_an_error_in_the_stream_is_quoted(kind: str, is_passing: bool) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "Overloaded"}}
    with pytest.raises(VendorFailure, match="gave up its answer: “Overloaded”") as caught:
        said(BEGIN, error)
    assert caught.value.is_worth_another_try is is_passing
