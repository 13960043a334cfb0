"""Chat completions as OpenAI sends them, streamed and whole."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tests.vendors.pieces import JSON, Piece, data_event
from tests.vendors.wish import Wish

USAGE = {"prompt_tokens": 7, "completion_tokens": 11, "total_tokens": 18}
ERROR = {"message": "The engine has a problem.", "type": "invalid_prompt", "param": None, "code": None}
OVERLOADED = {**ERROR, "message": "The engine is overloaded.", "code": 503}
CREATED = 1_750_000_000

_numbers = itertools.count(1)


def pieces(body: JSON, wish: Wish) -> Iterator[Piece]:
    """The events of a streamed answer."""
    chunk = ChunkMaker(body)
    yield chunk({"role": "assistant", "content": "", "refusal": None})
    if wish.reasoning:
        yield from (chunk({"reasoning_content": word}) for word in wish.reasoning.split(" "))
    answer = answer_to(body, wish)
    if answer is None:
        for index, call in enumerate(calls(wish)):
            yield from call_pieces(chunk, index, call)
    else:
        yield from (chunk({"content": word}, said=word, is_word=True) for word in answer)
    yield chunk({}, reason=wish.stop or ("tool_calls" if answer is None else "stop"), names_reason=True)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield chunk(None, usage=USAGE)
    yield Piece(b"data: [DONE]\n\n", is_end_mark=True)


class ChunkMaker:
    """Makes the chunks of one answer."""

    def __init__(self, body: JSON) -> None:
        self._frame = {
            "id": f"chatcmpl-{next(_numbers)}",
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": body["model"],
            "system_fingerprint": "fp_1",
        }
        self._counts = bool((body.get("stream_options") or {}).get("include_usage"))

    def __call__(
        self, delta: JSON | None, *, reason: str | None = None, usage: JSON | None = None, **facts: Any
    ) -> Piece:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        choices = [] if delta is None else [choice]
        counted = {"usage": usage} if self._counts else {}
        return data_event({**self._frame, "choices": choices, **counted}, **facts)


def call_pieces(chunk: ChunkMaker, index: int, call: JSON) -> Iterator[Piece]:
    """The first piece names the call, the others bring its arguments."""
    function = {"name": call["function"]["name"], "arguments": ""}
    yield chunk(
        {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]}
    )
    arguments = call["function"]["arguments"]
    for start in range(0, len(arguments), 5):
        function = {"arguments": arguments[start : start + 5]}
        yield chunk({"tool_calls": [{"index": index, "function": function}]}, is_word=True)


def calls(wish: Wish) -> list[JSON]:
    pairs = itertools.zip_longest(wish.calls, wish.arguments, fillvalue="{}")
    return [
        {"id": f"call_{next(_numbers)}", "type": "function", "function": {"name": name, "arguments": text}}
        for name, text in pairs
    ]


def answer_to(body: JSON, wish: Wish) -> Iterator[str] | None:
    """None where tools are called first; their results are part of the answer."""
    last = body["messages"][-1]
    if last["role"] == "tool":
        results = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        return iter([f"The tool said: {results[-1]}"])
    if wish.calls:
        return None
    return wish.pieces(last["content"] if body.get("continue_final_message") else "")


def whole(body: JSON, wish: Wish) -> JSON:
    """The answer to a request that does not stream."""
    answer = answer_to(body, wish)
    text = None if answer is None else "".join(answer)
    message: JSON = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
    if answer is None:
        message["tool_calls"] = calls(wish)
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": "stop" if answer else "tool_calls",
    }
    return {
        "id": f"chatcmpl-{next(_numbers)}",
        "object": "chat.completion",
        "created": CREATED,
        "model": body["model"],
        "choices": [choice],
        "usage": USAGE,
    }


def error_body(message: str, kind: str, code: str | None) -> JSON:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def error_piece(*, is_overloaded: bool) -> Piece:
    return data_event({"error": OVERLOADED if is_overloaded else ERROR})


def empty_piece(body: JSON) -> Piece:
    return ChunkMaker(body)({"content": ""})
