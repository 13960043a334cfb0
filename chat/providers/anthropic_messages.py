"""Turns a prompt into the body of a request to Anthropic's messages interface."""

from __future__ import annotations

import re
from typing import assert_never

from chat.events import Asked, Prompt, Reasoning, Replied, Returned, Text, ToolCall, ToolSpec
from chat.providers.base import ProviderSettings
from chat.providers.history import arguments_of, prepared

Block = dict[str, object]

NOT_IN_AN_ID = re.compile(r"[^a-zA-Z0-9_-]")
REDACTED = "redacted:"  # in front of a signature: reasoning that Anthropic hides and wants back as it was
BEFORE_THE_FIRST_QUESTION = "(The conversation begins with what you said.)"


def messages_body(prompt: Prompt, settings: ProviderSettings) -> dict[str, object]:
    body: dict[str, object] = {
        "model": settings.model,
        "max_tokens": settings.most_output_tokens,
        "messages": alternating_messages(prompt),
        "stream": True,
    }
    if prompt.system:
        body["system"] = prompt.system
    if prompt.tools:
        body["tools"] = [tool_description(tool) for tool in prompt.tools]
    return body


def alternating_messages(prompt: Prompt) -> list[Block]:
    """Neighbours of one role become one message, and the first is a person's: both are asked for."""
    messages: list[tuple[str, list[Block]]] = []
    for message in prepared(prompt.messages):
        role = "assistant" if isinstance(message, Replied) else "user"
        blocks = blocks_of(message)
        if blocks and not messages and role == "assistant":
            messages.append(("user", text_blocks(BEFORE_THE_FIRST_QUESTION)))
        if blocks and messages and messages[-1][0] == role:
            messages[-1][1].extend(blocks)
        elif blocks:
            messages.append((role, blocks))
    return [{"role": role, "content": blocks} for role, blocks in messages]


def blocks_of(message: Asked | Replied | Returned) -> list[Block]:
    match message:
        case Asked():
            return text_blocks(message.text)
        case Replied():
            return [block for part in message.parts for block in blocks_of_part(part)]
        case Returned():
            return [tool_result(message)]
        case _:
            assert_never(message)


def blocks_of_part(part: Text | Reasoning | ToolCall) -> list[Block]:
    match part:
        case Text():
            return text_blocks(part.text)
        case Reasoning():
            return signed_thinking(part)
        case ToolCall():
            name, arguments = part.name, arguments_of(part)
            return [{"type": "tool_use", "id": identity(part.id), "name": name, "input": arguments}]
        case _:
            assert_never(part)


def text_blocks(text: str) -> list[Block]:
    """Nothing for text without a letter, which Anthropic refuses."""
    return [{"type": "text", "text": text}] if text.strip() else []


def signed_thinking(part: Reasoning) -> list[Block]:
    """Nothing for reasoning without a signature: it was cut, or is another vendor's."""
    if part.signature.startswith(REDACTED):
        return [{"type": "redacted_thinking", "data": part.signature.removeprefix(REDACTED)}]
    return (
        [{"type": "thinking", "thinking": part.text, "signature": part.signature}] if part.signature else []
    )


def tool_result(message: Returned) -> Block:
    return {
        "type": "tool_result",
        "tool_use_id": identity(message.id),
        "content": message.output,
        "is_error": message.is_error,
    }


def identity(call_id: str) -> str:
    """A call's id in letters Anthropic takes; another vendor may have made it."""
    return NOT_IN_AN_ID.sub("_", call_id)


def tool_description(tool: ToolSpec) -> Block:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
