"""Turns what people read into what a model is sent: one message becomes one or several of a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chat.events import Asked, Reasoning, Replied, Returned, Text, ToolCall
from sessions_app.models import Message, MessageRole
from sessions_app.services.folding import STATUS_UNKNOWN, Content, text_of

OUTCOME_UNKNOWN = "The server stopped while this ran. Whether it acted is not known; it was not run again."

PromptMessage = Asked | Replied | Returned
Part = Text | Reasoning | ToolCall


def prompt_messages(message: Message, content: Content) -> list[PromptMessage]:
    if message.role == MessageRole.PERSON:
        name = message.author.name if message.author else ""
        return [Asked(text_of(content), name)]
    return list(reply_messages(content, with_reasoning=False))


def reply_messages(content: Content, *, with_reasoning: bool) -> Iterator[PromptMessage]:
    """A reply in the rounds in which it was made: words and calls, what the tools gave, words again.

    Reasoning is sent back only within its own turn.
    """
    said: list[Part] = []
    results = {part["id"]: part for part in content["parts"] if part["kind"] == "tool_result"}
    for part in content["parts"]:
        if part["kind"] == "tool_result":
            if said:
                yield Replied(tuple(said))
                said = []
            yield _returned(part, content)
            continue
        said.extend(_said(part, with_reasoning))
        if part["kind"] == "tool_call" and part["id"] not in results and part["status"] == STATUS_UNKNOWN:
            yield Replied(tuple(said))
            yield Returned(part["id"], part["name"], OUTCOME_UNKNOWN, is_error=True)
            said = []
    if said:
        yield Replied(tuple(said))


def _said(part: dict[str, Any], with_reasoning: bool) -> Iterator[Part]:
    match part["kind"]:
        case "text":
            yield Text(part["text"])
        case "reasoning" if with_reasoning:
            yield from _reasoning(part)
        case "tool_call":
            yield ToolCall(part["id"], part["name"], part["arguments"])


def _reasoning(part: dict[str, Any]) -> Iterator[Reasoning]:
    """Each piece with its own signature: a vendor takes none of it back with another's."""
    begin = 0
    for signed in part.get("signed", ()):
        yield Reasoning(part["text"][begin : signed["end"]], signed["signature"])
        begin = signed["end"]
    yield Reasoning(part["text"][begin:], part.get("signature", ""))


def _returned(part: dict[str, Any], content: Content) -> Returned:
    calls = [call for call in content["parts"] if call["kind"] == "tool_call" and call["id"] == part["id"]]
    name = calls[0]["name"] if calls else ""
    return Returned(part["id"], name, part["output"], is_error=part["status"] != "ok")
