"""What of a server's list models are told: within limits, and what is left out is said."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.types import Tool, ToolAnnotations

from chat.tool_servers.found import found
from chat.tool_servers.limits import MOST_TOOLS


def tool(name: str = "add", **other: Any) -> Tool:
    return Tool(**{"name": name, "description": "Adds.", "inputSchema": {"type": "object"}, **other})


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        ([tool("")], ": its name must have"),
        ([tool("x" * 201)], "its name must have 1 to 200"),
        ([tool(inputSchema={})], "add: its parameters are not described as an object"),
        ([tool(inputSchema={"type": "array"})], "not described as an object"),
        ([tool(inputSchema={"type": "object", "properties": []})], "not described as an object"),
        ([tool(inputSchema={"type": "object", "description": "x" * 16_000})], "longer than 16,000"),
        ([tool(inputSchema=deep(20))], "or too deep"),
        ([tool(inputSchema=deep(5_000))], "or too deep"),
    ],
)
def test_a_tool_that_cannot_be_used_is_left_out(listed: list[Tool], why: str) -> None:
    of = found("kelp", [*listed, tool("other")])
    assert [each.remote_name for each in of.tools] == ["other"]
    [left_out] = of.left_out
    assert why in left_out


def test_one_name_is_one_tool() -> None:
    of = found("kelp", [tool(), tool(description="Subtracts.")])
    assert [each.description for each in of.tools] == ["Adds."]
    assert of.left_out == ("add: another tool has its name",)


def test_there_is_an_end_to_how_many_there_are() -> None:
    of = found("kelp", [tool(f"t{number}") for number in range(MOST_TOOLS + 3)])
    assert (len(of.tools), len(of.left_out)) == (MOST_TOOLS, 3)


def test_a_long_description_is_cut_and_a_missing_one_is_the_title() -> None:
    of = found("kelp", [tool(description="x" * 9_000), tool("b", description=None, title="B")])
    assert [len(each.description) for each in of.tools] == [2_000, 1]


@pytest.mark.parametrize(
    ("hints", "may_be"),
    [
        (None, False),
        (ToolAnnotations(), False),
        (ToolAnnotations(destructiveHint=False), False),
        (ToolAnnotations(idempotentHint=False, readOnlyHint=False), False),
        (ToolAnnotations(idempotentHint=True), True),
        (ToolAnnotations(readOnlyHint=True), True),
    ],
)
def test_only_a_hint_makes_a_tool_one_that_may_be_repeated(hints: Any, may_be: bool) -> None:
    [only] = found("kelp", [tool(annotations=hints)]).tools
    assert only.may_be_repeated is may_be
