"""What a model sends is held against a tool's schema; what a hostile schema would cost is not paid."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.tool_servers.arguments import what_is_wrong

SCHEMA = {
    "type": "object",
    "properties": {
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "unit": {"enum": ["kg", "g"]},
        "words": {"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 3},
        "place": {"$ref": "#/$defs/Place"},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["count"],
    "additionalProperties": False,
    "$defs": {"Place": {"type": "object", "required": ["city"]}},
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 1},
        {"count": 9, "unit": "kg", "words": ["kelp"], "place": {"city": "Kiel"}, "either": None},
    ],
)
def test_what_fits_is_not_complained_about(arguments: dict[str, Any]) -> None:
    assert what_is_wrong(SCHEMA, arguments) == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "'count' is a required property"),
        ({"count": "1"}, "“count”: '1' is not of type 'integer'"),
        ({"count": 10}, "10 is greater than the maximum of 9"),
        ({"count": 1, "unit": "t"}, "“unit”: 't' is not one of ['kg', 'g']"),
        ({"count": 1, "words": ["kelp", "seaweed"]}, "“words.1”: 'seaweed' is too long"),
        ({"count": 1, "words": ["a"] * 4}, "“words”: "),
        ({"count": 1, "place": {}}, "“place”: 'city' is a required property"),
        ({"count": 1, "either": 1}, "“either”: 1 is not valid"),
        ({"count": 1, "other": 1}, "'other' was unexpected"),
    ],
)
def test_what_does_not_fit_is_named(arguments: dict[str, Any], says: str) -> None:
    sentence = what_is_wrong(SCHEMA, arguments)
    assert sentence.startswith("The arguments do not fit the tool. ")
    assert says in sentence


def test_a_complaint_is_short() -> None:
    assert len(what_is_wrong(SCHEMA, {"count": "x" * 20_000})) < 400


HOSTILE: dict[str, dict[str, Any]] = {
    "a pattern that never ends": {"properties": {"a": {"pattern": "^(a+)+$"}}},
    "a pattern of names": {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
    "a reference to elsewhere": {"$ref": "http://127.0.0.1:9/schema"},
    "a reference to a file": {"$ref": "file:///etc/passwd"},
    "a reference to itself": {"$ref": "#"},
    "a bomb of references": {
        "$ref": "#/$defs/a0",
        "$defs": {
            **{f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 9} for n in range(9)},
            "a9": {"type": "object"},
        },
    },
    "a type of no kind": {"type": "kelp"},
    "keywords of no kind": {"properties": {"a": 7}, "required": 5, "items": "x"},
    "a long list for each": {"properties": {"a": {"anyOf": [{"enum": list(range(3_000))}] * 500}}},
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_schema_costs_next_to_nothing_and_is_left_to_its_server(name: str) -> None:
    arguments = {"a": "a" * 40 + "!", "a" * 40 + "!": 1}
    async with asyncio.timeout(20):
        assert await asyncio.to_thread(what_is_wrong, {"type": "object", **HOSTILE[name]}, arguments) == ""
