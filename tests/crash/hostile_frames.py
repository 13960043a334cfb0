"""Makes frames that no honest client sends: broken, huge, nested, binary, and right but for one field."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator
from typing import Any

from chat.wire import FRAME_BYTES
from tests.crash.sites import Place

# Every frame of docs/protocol.md, with its fields; a test compares the two.
FIELDS_OF: dict[str, tuple[str, ...]] = {
    "subscribe": ("id", "session", "after", "blocks"),
    "unsubscribe": ("id",),
    "ack": ("session", "seq"),
    "post": ("id", "conversation", "session", "client_id", "text"),
    "stop": ("id", "turn"),
    "withdraw": ("id", "turn"),
    "continue": ("id", "message"),
    "regenerate": ("id", "message"),
    "compact": ("id", "conversation"),
    "typing": ("conversation",),
    "ping": ("id",),
}
KINDS = (*FIELDS_OF, "hello", "", "🌿", "__class__")
FIELDS = (*sorted({field for fields in FIELDS_OF.values() for field in fields}), "type")
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 2**53, 10**400, 1.5, float("nan"), float("inf"), "", " ", "\0", "\ud800", "‮", "a" * 70_000,
    [], {}, [[]], {"a": {"b": []}}, "../../etc/passwd", "' OR 1=1 --", "<script>alert(1)</script>", "0" * 5000,
)  # fmt: skip
BROKEN = (
    "",
    "{",
    "[]",
    "null",
    "0",
    '"text"',
    "{'type': 'ping'}",
    '{"type": "ping"',
    '{"type": 1}',
    "\0",
    "NaN",
    "﻿{}",
)
NESTED = (
    "[" * 500 + "]" * 500,
    "[" * 100_000,
    '{"a":' * 50_000,
    '{"type":' + "[" * 5_000 + "]" * 5_000 + "}",
)
HUGE_ODDS, NESTED_ODDS = 0.0005, 0.005


def wrong_in_one_field(place: Place) -> Iterator[str]:
    """Each frame there is, right but for one field, which is each of the values in turn."""
    right = {
        "id": "1",
        "session": place.session,
        "conversation": place.conversation,
        "turn": place.session,
        "message": place.conversation,
        "after": 0,
        "seq": 1,
        "blocks": True,
        "client_id": "1",
        "text": "echo hello",
    }
    for kind, fields in FIELDS_OF.items():
        frame = {"type": kind, **{field: right[field] for field in fields}}
        for field in ("type", *fields):
            for value in (*VALUES, json.loads("[" * 500 + "]" * 500)):
                yield json.dumps({**frame, field: value})


def hostile_frame(chance: random.Random, place: Place) -> str | bytes:
    """Another one each time; the same seed gives the same ones."""
    dice = chance.random()
    if dice < HUGE_ODDS:
        return "x" * (FRAME_BYTES + 1)
    if dice < NESTED_ODDS:
        return chance.choice(NESTED)
    if dice < 0.1:
        return chance.randbytes(chance.randrange(200))
    if dice < 0.2:
        return chance.choice(BROKEN)
    text = _nearly_right(chance, place)
    return _damaged(text, chance) if dice < 0.4 else text


def _nearly_right(chance: random.Random, place: Place) -> str:
    ids = [place.session, place.conversation, str(uuid.UUID(int=chance.getrandbits(128)))]
    frame = {
        name: chance.choice([*VALUES, *ids]) for name in chance.sample(FIELDS, chance.randrange(len(FIELDS)))
    }
    return json.dumps({"type": chance.choice(KINDS), **frame})


def _damaged(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return (
        text[:at]
        + chance.choice(["", "}", '"', ",", "\\", "\\u", "\u2028"])
        + text[at + chance.randrange(3) :]
    )
