"""A turn's reply in OpenAI's form, from committed events alone: as it comes, and whole."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from chat.api.event_stream import LARGEST_RESPONSE, LOOK_SECONDS, QUIET_SECONDS, lost_by, next_piece
from chat.api.openai.base import error_body
from chat.api.standing import Stands
from chat.broadcast.tail import tail_of
from sessions_app.models import EventKind, Turn, TurnState

WAIT_SECONDS = 590.0  # the official clients go away after ten minutes
DELTAS = {EventKind.TEXT: "content", EventKind.REASONING: "reasoning_content"}
ENDS = {
    TurnState.FAILED: (502, "agent_failed"),
    TurnState.INTERRUPTED: (502, "interrupted"),
    TurnState.WITHDRAWN: (409, "withdrawn"),
}
STILL_RUNNING = (
    "The agent is still answering and goes on. Send the same request again with the same Idempotency-Key."
)
OUT_OF_SIGHT = "This stream ends here; the reply is kept in the conversation."


async def facts_of(turn: Turn, *, seconds: float) -> AsyncIterator[dict[str, Any] | None]:
    """The events of a turn from its beginning up to its end; None where nothing came for a while."""
    until, wanted, reply = time.monotonic() + seconds, str(turn.public_id), None
    with tail_of(turn.session, after=turn.question.first_seq - 1) as tail:
        while time.monotonic() < until:
            piece = await next_piece(tail)
            for event in piece.events if piece else ():
                is_ours = event["payload"].get("turn") == wanted
                if event["kind"] == EventKind.TURN_STARTED and is_ours:
                    reply = event["payload"]["message"]
                elif event["kind"] == EventKind.TURN_ENDED and is_ours:
                    yield event
                    return
                elif reply is not None and event["message"] == reply:
                    yield event
            yield None


async def streamed(turn: Turn, *, model: str, with_usage: bool, stands: Stands) -> AsyncIterator[bytes]:
    """Ends with [DONE], or with an error that says what is safe."""
    yield _chunk(turn, model, {"role": "assistant", "content": ""})
    size, looked_at, spoke_at = 0, time.monotonic(), time.monotonic()
    async for event in facts_of(turn, seconds=float("inf")):
        now = time.monotonic()
        if now - looked_at >= LOOK_SECONDS:
            if (lost := await lost_by(stands)) is not None:
                yield _line(error_body(403, "access_lost", lost.sentence))
                return
            looked_at = now
        told = _told(turn, model, event, with_usage=with_usage)
        if told or now - spoke_at >= QUIET_SECONDS:
            size, spoke_at = size + len(told), now
            yield told or b": nothing new\n\n"
        if size > LARGEST_RESPONSE:
            yield _line(error_body(500, "stream_too_long", OUT_OF_SIGHT))
            return


def _told(turn: Turn, model: str, event: dict[str, Any] | None, *, with_usage: bool) -> bytes:
    if event is not None and event["kind"] in DELTAS:
        return _chunk(turn, model, {DELTAS[event["kind"]]: event["payload"]["text"]})
    if event is not None and event["kind"] == EventKind.TURN_ENDED:
        return _last(turn, model, event["payload"], with_usage=with_usage)
    return b""


async def whole(turn: Turn, *, model: str, seconds: float = WAIT_SECONDS) -> tuple[int, dict[str, Any]]:
    """The status and the body, when the turn has ended."""
    said: dict[str, list[str]] = {name: [] for name in DELTAS.values()}
    async for event in facts_of(turn, seconds=seconds):
        if event is not None and event["kind"] in DELTAS:
            said[DELTAS[event["kind"]]].append(event["payload"]["text"])
        elif event is not None and event["kind"] == EventKind.TURN_ENDED:
            return _completed(turn, model, said, event["payload"])
    return 504, error_body(504, "still_running", STILL_RUNNING)


def _completed(
    turn: Turn, model: str, said: dict[str, list[str]], ended: dict[str, Any]
) -> tuple[int, dict[str, Any]]:
    if (failure := _failure(ended)) is not None:
        return failure
    message: dict[str, Any] = {"role": "assistant", "content": "".join(said["content"])}
    if said["reasoning_content"]:
        message["reasoning_content"] = "".join(said["reasoning_content"])
    choice = {"index": 0, "message": message, "finish_reason": _finish(ended), "logprobs": None}
    return 200, {**_head(turn, model, "chat.completion"), "choices": [choice], "usage": _usage(ended)}


def _last(turn: Turn, model: str, ended: dict[str, Any], *, with_usage: bool) -> bytes:
    if (failure := _failure(ended)) is not None:
        return _line(failure[1])
    told = _chunk(turn, model, {}, finish=_finish(ended))
    if with_usage:
        told += _line({**_head(turn, model, "chat.completion.chunk"), "choices": [], "usage": _usage(ended)})
    return told + b"data: [DONE]\n\n"


def _failure(ended: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
    if ended["state"] not in ENDS:
        return None
    status, code = ENDS[ended["state"]]
    sentence = f"{ended['reason'] or 'The agent did not finish.'} What it said is kept in the conversation."
    return status, error_body(status, code, sentence)


def _finish(ended: dict[str, Any]) -> str:
    """A reply that somebody stopped ends with what it has, as one that is done."""
    return "length" if "length limit" in ended["reason"] else "stop"


def _usage(ended: dict[str, Any]) -> dict[str, int]:
    usage = ended.get("usage") or {"input_tokens": 0, "output_tokens": 0}
    asked, said = usage["input_tokens"], usage["output_tokens"]
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def _chunk(turn: Turn, model: str, delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return _line({**_head(turn, model, "chat.completion.chunk"), "choices": [choice]})


def _head(turn: Turn, model: str, kind: str) -> dict[str, Any]:
    created = int(turn.queued_at.timestamp())
    return {"id": f"chatcmpl-{turn.public_id.hex}", "object": kind, "created": created, "model": model}


def _line(body: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
