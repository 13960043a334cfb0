"""Tools of a workspace's tool servers: what models are told of them, and how one is called."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from chat.database_threads import read
from chat.events import ToolSpec
from chat.tool_servers import client
from chat.tool_servers.arguments import what_is_wrong
from chat.tool_servers.server import Server
from chat.turns.tools.base import RemoteTool, ToolContext, ToolOutcome
from chat.turns.tools.calling import cut, parsed
from chat.turns.tools.signature import WrongArguments
from sessions_app.canonical import clean_text
from sessions_app.errors import HoldfastError
from sessions_app.models import ToolServer
from sessions_app.services.tool_listings import listings_named
from sessions_app.services.tool_servers import tool_server_key

SWITCHED_OFF = "The tool server “{name}” is switched off, or not this agent's any more; it was not asked."


def remote_tools(listings: Iterable[str]) -> tuple[RemoteTool, ...]:
    """The tools of the listings that the log names. What a server says of a tool counts for recovery only where
    somebody who manages the workspace has said that the server is to be believed."""
    return tuple(
        RemoteTool(
            spec=ToolSpec(told["name"], told["description"], told["parameters"]),
            remote_name=told["remote_name"],
            server_id=listing.server_id,
            server_name=listing.server.name,
            may_be_repeated=told["may_be_repeated"] and listing.server.trusts_hints,
        )
        for listing in listings_named(listings)
        for told in listing.told
    )


def repeatable_names(listings: Iterable[str]) -> frozenset[str]:
    """Those that recovery may call again when it cannot know whether they ran."""
    return frozenset(tool.spec.name for tool in remote_tools(listings) if tool.may_be_repeated)


async def call_remote(tool: RemoteTool, arguments: str, context: ToolContext) -> ToolOutcome:
    """What the call came to, within the server's own limits; whatever goes wrong is a sentence."""
    try:
        given = parsed(arguments)
        if wrong := await asyncio.to_thread(what_is_wrong, tool.spec.parameters, given):
            raise WrongArguments(wrong)
        server = await read(_server_of, tool, context)
    except WrongArguments as error:
        return _outcome(f"{error} Nothing was done.", is_error=True)
    except HoldfastError as error:
        return _outcome(str(error), is_error=True)
    if server is None:
        return _outcome(SWITCHED_OFF.format(name=tool.server_name), is_error=True)
    answer = await client.call(server, tool.remote_name, given)
    return _outcome(answer.output, is_error=answer.is_error)


def _server_of(tool: RemoteTool, context: ToolContext) -> Server | None:
    """Asked anew for each call: what was switched off a moment ago is not asked."""
    chosen: Any = ToolServer.objects.filter(pk=tool.server_id, is_active=True, agents=context.agent)
    found = chosen.first()
    return Server(found.address, tool_server_key(found)) if found else None


def _outcome(output: str, *, is_error: bool) -> ToolOutcome:
    return ToolOutcome("error" if is_error else "ok", cut(clean_text(output)))
