"""What OpenAI and the templates of local servers refuse in a request, as far as a client can get it wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.vendors.pieces import JSON


def refused(body: JSON) -> str:
    """Why the request would not be taken, or nothing."""
    return next(complaints(body), "")


def complaints(body: JSON) -> Iterator[str]:
    messages = body.get("messages") or []
    if not messages:
        yield "Invalid 'messages': empty array."
    waiting: set[str] = set()
    for message, next_message in zip(messages, [*messages[1:], {"role": ""}], strict=True):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                yield "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
            waiting.discard(message["tool_call_id"])
        elif waiting:
            yield "An assistant message with 'tool_calls' must be followed by tool messages."
        elif message["role"] == next_message["role"]:
            yield "Conversation roles must alternate."
        waiting.update(call["id"] for call in message.get("tool_calls") or [])
        yield from complaints_about_calls(message.get("tool_calls") or [])
    if waiting:
        yield "An assistant message with 'tool_calls' must be followed by tool messages."


def complaints_about_calls(calls: list[JSON]) -> Iterator[str]:
    for call in calls:
        try:
            json.loads(call["function"]["arguments"])
        except ValueError:
            yield "Invalid tool call arguments."
