"""What Anthropic refuses in a request, as far as a client can get it wrong."""

from __future__ import annotations

from collections.abc import Iterator

from tests.vendors.anthropic_wire import SIGNATURE
from tests.vendors.pieces import JSON


def refused(body: JSON) -> str:
    """Why Anthropic would not take this request, or nothing."""
    return next(complaints(body), "")


def complaints(body: JSON) -> Iterator[str]:
    messages = body.get("messages") or []
    if not messages:
        yield "messages: at least one message is required"
        return
    if not body.get("max_tokens"):
        yield "max_tokens: Field required"
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    if messages[-1]["role"] != "user":
        yield "This model does not support assistant message prefill; end with a user message."
    called: list[str] = []
    for message in messages:
        blocks = message["content"] if isinstance(message["content"], list) else []
        yield from complaints_about_blocks(blocks)
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if sorted(results) != sorted(called):
            yield "tool_use ids were found without tool_result blocks immediately after"
        called = [block["id"] for block in blocks if block["type"] == "tool_use"]


def complaints_about_blocks(blocks: list[JSON]) -> Iterator[str]:
    for block in blocks:
        if block["type"] == "text" and not block["text"].strip():
            yield "messages: text content blocks must contain non-whitespace text"
        if block["type"] == "thinking" and block["signature"] != SIGNATURE:
            yield "messages: Invalid `signature` in `thinking` block"
        if block["type"] == "tool_use" and not isinstance(block["input"], dict):
            yield "messages: Input should be a valid dictionary"
