"""What a reply becomes when it is sent back to a model."""

from __future__ import annotations

import json

from chat.events import Reasoning, Replied, Text, ToolCall
from chat.turns.prompt_messages import reply_messages
from sessions_app.services.folding import fold


def said(*events: tuple[str, dict[str, str]]) -> list[object]:
    content = fold((kind, json.dumps(payload)) for kind, payload in events)
    [reply] = reply_messages(content, with_reasoning=True)
    assert isinstance(reply, Replied)
    return list(reply.parts)


def test_every_piece_of_reasoning_keeps_its_own_signature() -> None:
    """A vendor takes none back with another's, nor with words that came after it was signed."""
    assert said(
        ("reasoning", {"text": "first "}),
        ("reasoning", {"text": "", "signature": "a"}),
        ("reasoning", {"text": "", "signature": "redacted:b"}),
        ("reasoning", {"text": "third "}),
        ("reasoning", {"text": "it is", "signature": "c"}),
        ("reasoning", {"text": "cut off"}),
        ("tool_call", {"id": "1", "name": "clock", "arguments": "{}"}),
    ) == [
        Reasoning("first ", "a"),
        Reasoning("", "redacted:b"),
        Reasoning("third it is", "c"),
        Reasoning("cut off"),
        ToolCall("1", "clock", "{}"),
    ]


def test_reasoning_that_was_signed_once_folds_as_it_always_has() -> None:
    """Digests of sealed messages are made of it."""
    events = [
        ("reasoning", {"text": "hm "}),
        ("reasoning", {"text": "so", "signature": "a"}),
        ("text", {"text": "42"}),
    ]
    assert fold((kind, json.dumps(payload)) for kind, payload in events)["parts"] == [
        {"kind": "reasoning", "text": "hm so", "signature": "a"},
        {"kind": "text", "text": "42"},
    ]
    assert said(*events) == [Reasoning("hm so", "a"), Text("42")]
