"""Takes from a server's list of tools what models can be told, within limits; says what is left out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from chat.tool_servers.limits import (
    DESCRIPTION_CHARACTERS,
    MOST_TOOLS,
    NAME_CHARACTERS,
    SCHEMA_CHARACTERS,
    SCHEMA_DEPTH,
)
from chat.tool_servers.names import exposed_name


@dataclass(frozen=True)
class FoundTool:
    """`may_be_repeated` is what the server says of itself: that it only reads, or that twice is once."""

    name: str
    remote_name: str
    description: str
    parameters: dict[str, object]
    may_be_repeated: bool


@dataclass(frozen=True)
class Found:
    tools: tuple[FoundTool, ...]
    left_out: tuple[str, ...] = ()


def found(server: str, listed: Iterable[Any]) -> Found:
    """Of `mcp.types.Tool`, in the order of the server, and no name twice."""
    tools: dict[str, FoundTool] = {}
    left_out: list[str] = []
    for tool in listed:
        why = _unusable(tool)
        name = exposed_name(server, tool.name)
        if not why and name in tools:
            why = "another tool has its name"
        if not why and len(tools) == MOST_TOOLS:
            why = f"a server may have {MOST_TOOLS} tools"
        if why:
            left_out.append(f"{tool.name[:60]}: {why}")
        else:
            tools[name] = _usable(name, tool)
    return Found(tuple(tools.values()), tuple(left_out[:MOST_TOOLS]))


def _unusable(tool: Any) -> str:
    if not 0 < len(tool.name) <= NAME_CHARACTERS:
        return f"its name must have 1 to {NAME_CHARACTERS} characters"
    schema = tool.inputSchema
    if schema.get("type") != "object" or not isinstance(schema.get("properties", {}), dict):
        return "its parameters are not described as an object"
    if _depth(schema) > SCHEMA_DEPTH or len(json.dumps(schema)) > SCHEMA_CHARACTERS:
        return (
            f"the description of its parameters is longer than {SCHEMA_CHARACTERS:,} characters, or too deep"
        )
    return ""


def _usable(name: str, tool: Any) -> FoundTool:
    hints = tool.annotations
    return FoundTool(
        name=name,
        remote_name=tool.name,
        description=(tool.description or tool.title or "")[:DESCRIPTION_CHARACTERS],
        parameters={"properties": {}, **tool.inputSchema},
        may_be_repeated=bool(hints and (hints.readOnlyHint or hints.idempotentHint)),
    )


def _depth(value: object) -> int:
    """How many levels a value has; more than SCHEMA_DEPTH are not counted to the end."""
    level, depth = [value], 0
    while level and depth <= SCHEMA_DEPTH:
        depth += 1
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
        ]
    return depth
