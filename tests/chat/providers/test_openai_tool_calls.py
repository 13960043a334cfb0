"""Tool calls are put together from each way in which servers have been seen to cut them."""

from __future__ import annotations

from typing import Any

import pytest

from chat.events import ToolCall
from chat.providers.openai_tool_calls import CallAssembly
from chat.providers.shapes import Misshapen


def piece(
    arguments: object = None,
    *,
    name: str | None = None,
    identity: str | None = None,
    index: int | None = None,
) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    given = (("id", identity), ("index", index), ("function", function))
    return {key: value for key, value in given if value is not None}


TWO_CALLS = [ToolCall("a", "look", '{"x":1}'), ToolCall("b", "find", '{"y":2}')]

WAYS = {
    "as OpenAI does": [
        piece("", name="look", identity="a", index=0),
        piece('{"x"', index=0),
        piece(":1}", index=0),
        piece("", name="find", identity="b", index=1),
        piece('{"y":2}', index=1),
    ],
    "interleaved": [
        piece("", name="look", identity="a", index=0),
        piece("", name="find", identity="b", index=1),
        piece('{"x"', index=0),
        piece('{"y":2}', index=1),
        piece(":1}", index=0),
    ],
    "whole in one piece": [
        piece('{"x":1}', name="look", identity="a"),
        piece('{"y":2}', name="find", identity="b"),
    ],
    "every index 0": [
        piece('{"x"', name="look", identity="a", index=0),
        piece(":1}", index=0),
        piece('{"y":', name="find", identity="b", index=0),
        piece("2}", index=0),
    ],
    "no index, id once": [
        piece("", name="look", identity="a"),
        piece('{"x":1}'),
        piece("", name="find", identity="b"),
        piece('{"y":'),
        piece("2}"),
    ],
    "no index, id always": [
        piece('{"x"', name="look", identity="a"),
        piece('{"y":', name="find", identity="b"),
        piece(":1}", identity="a"),
        piece("2}", identity="b"),
    ],
    "name and id repeated": [
        piece('{"x"', name="look", identity="a", index=0),
        piece(":1}", name="look", identity="a", index=0),
        piece('{"y":2}', name="find", identity="b", index=1),
    ],
    "indexes from one, id late": [
        piece("", name="look", index=1),
        piece('{"x":1}', identity="a", index=1),
        piece('{"y":2}', name="find", identity="b", index=2),
    ],
    "empty id after the first": [
        piece("", name="look", identity="a", index=0),
        piece('{"x":1}', identity="", index=0),
        piece('{"y":2}', name="find", identity="b", index=1),
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_calls_are_put_together(way: str) -> None:
    assembly = CallAssembly()
    for given in WAYS[way]:
        assembly.add(given)
    assert list(assembly.calls()) == TWO_CALLS
    assert assembly.are_whole()


def test_arguments_may_come_as_an_object() -> None:
    assembly = CallAssembly()
    assembly.add(piece({"x": "hält"}, name="look", identity="a"))
    assert [call.arguments for call in assembly.calls()] == ['{"x": "hält"}']


def test_calls_without_ids_get_different_ones() -> None:
    assembly = CallAssembly()
    assembly.add(piece("{}", name="look"))
    assembly.add(piece("{}", name="look"))
    first, second = assembly.calls()
    assert first.id
    assert first.id != second.id


@pytest.mark.parametrize("arguments", ['{"x"', "", "[]"])
def test_half_a_call_is_known_as_such(arguments: str) -> None:
    assembly = CallAssembly()
    assembly.add(piece(arguments, name="look" if arguments else ""))
    assert not assembly.are_whole()


@pytest.mark.parametrize("given", [{"function": 1}, {"function": {"name": 1}}, {"id": 1, "function": {}}])
def test_what_is_no_call_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Misshapen):
        CallAssembly().add(given)
