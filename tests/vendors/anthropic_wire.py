"""Messages as Anthropic sends them, streamed and whole."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from tests.vendors.pieces import JSON, Piece, data_event
from tests.vendors.wish import Wish

SIGNATURE = "c2lnbmVkIGJ5IHRoZSB2ZW5kb3I="
ERROR = {"type": "invalid_request_error", "message": "The engine has a problem."}
OVERLOADED = {"type": "overloaded_error", "message": "Overloaded"}

_numbers = itertools.count(1)


def pieces(body: JSON, wish: Wish) -> Iterator[Piece]:
    """The events of a streamed answer."""
    yield event("message_start", message=frame(body, [], None, {"input_tokens": 7, "output_tokens": 1}))
    yield event("ping")
    numbers = itertools.count()
    if wish.reasoning:
        yield from thinking_pieces(next(numbers), wish.reasoning)
    answer = answer_to(body, wish)
    if answer is not None:
        yield from text_pieces(next(numbers), answer)
    for block in blocks_of_calls(wish) if answer is None else []:
        yield from call_pieces(next(numbers), block)
    reason = wish.stop or ("tool_use" if answer is None else "end_turn")
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield event("message_delta", {"names_reason": True}, delta=delta, usage={"output_tokens": 11})
    yield event("message_stop", {"is_end_mark": True})


def event(kind: str, facts: JSON | None = None, **fields: Any) -> Piece:
    return data_event({"type": kind, **fields}, name=kind, **(facts or {}))


def text_pieces(index: int, words: Iterator[str]) -> Iterator[Piece]:
    yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
    for word in words:
        facts = {"said": word, "is_word": True}
        yield event("content_block_delta", facts, index=index, delta={"type": "text_delta", "text": word})
    yield event("content_block_stop", index=index)


def thinking_pieces(index: int, reasoning: str) -> Iterator[Piece]:
    block = {"type": "thinking", "thinking": "", "signature": ""}
    yield event("content_block_start", index=index, content_block=block)
    for word in reasoning.split(" "):
        yield event("content_block_delta", index=index, delta={"type": "thinking_delta", "thinking": word})
    signature = {"type": "signature_delta", "signature": SIGNATURE}
    yield event("content_block_delta", index=index, delta=signature)
    yield event("content_block_stop", index=index)


def call_pieces(index: int, block: JSON) -> Iterator[Piece]:
    yield event("content_block_start", index=index, content_block={**block, "input": {}})
    text = json.dumps(block["input"])
    for part in ("", *(text[start : start + 5] for start in range(0, len(text), 5))):
        delta = {"type": "input_json_delta", "partial_json": part}
        yield event("content_block_delta", {"is_word": bool(part)}, index=index, delta=delta)
    yield event("content_block_stop", index=index)


def blocks_of_calls(wish: Wish) -> list[JSON]:
    pairs = itertools.zip_longest(wish.calls, wish.arguments, fillvalue="{}")
    return [
        {"type": "tool_use", "id": f"toolu_{next(_numbers)}", "name": name, "input": json.loads(text)}
        for name, text in pairs
    ]


def answer_to(body: JSON, wish: Wish) -> Iterator[str] | None:
    """None where tools are called first; their results are part of the answer."""
    content = body["messages"][-1]["content"]
    results = (
        [block for block in content if block["type"] == "tool_result"] if isinstance(content, list) else []
    )
    if results:
        return iter([f"The tool said: {results[-1]['content']}"])
    return None if wish.calls else wish.pieces()


def whole(body: JSON, wish: Wish) -> JSON:
    """The answer to a request that does not stream."""
    answer = answer_to(body, wish)
    content = blocks_of_calls(wish) if answer is None else [{"type": "text", "text": "".join(answer)}]
    reason = "tool_use" if answer is None else "end_turn"
    return frame(body, content, reason, {"input_tokens": 7, "output_tokens": 11})


def frame(body: JSON, content: list[JSON], reason: str | None, usage: JSON) -> JSON:
    return {
        "id": f"msg_{next(_numbers)}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }


def error_body(message: str, kind: str, _code: str | None) -> JSON:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def error_piece(*, is_overloaded: bool) -> Piece:
    return event("error", error=OVERLOADED if is_overloaded else ERROR)


def empty_piece(_body: JSON) -> Piece:
    return event("ping")
