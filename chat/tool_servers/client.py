"""What the rest of Holdfast asks of tool servers: look which tools there are, and call one."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from typing import Any

from chat.tool_servers.failures import ToolServerFailure, without_key
from chat.tool_servers.found import Found, found
from chat.tool_servers.limits import USUAL, Limits
from chat.tool_servers.results import text_of
from chat.tool_servers.server import Server


@dataclass(frozen=True)
class Answer:
    output: str
    is_error: bool


async def look(name: str, server: Server, limits: Limits = USUAL) -> Found:
    """The tools of the server that is called `name` here; raises ToolServerFailure with a sentence."""
    session = await _session()
    return found(name, await session.listed_tools(server, limits))


async def call(server: Server, tool: str, arguments: dict[str, Any], limits: Limits = USUAL) -> Answer:
    """What came of the call, whatever that was; only what keeps it from being made or heard of is an error too."""
    session = await _session()
    try:
        result = await session.tool_called(server, tool, arguments, limits)
    except ToolServerFailure as failure:
        return Answer(str(failure), is_error=True)
    return Answer(without_key(text_of(result), server.key), is_error=result.isError)


async def _session() -> Any:
    """The SDK takes a second to import: on a thread, so that nobody's stream waits for it."""
    return await asyncio.to_thread(importlib.import_module, "chat.tool_servers.session")
