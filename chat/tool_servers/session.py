"""Speaks MCP with a server through the official SDK: one session for each look and each call, bounded in time.

The SDK costs a second and 45 MB to import, so only `client.py` imports this, when it is first needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar, cast

import anyio
import httpx
import structlog
from mcp import types
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import McpError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from chat.tool_servers import failures
from chat.tool_servers.failures import ToolServerFailure
from chat.tool_servers.limits import MOST_PAGES, MOST_TOOLS, Limits
from chat.tool_servers.server import Server
from chat.tool_servers.transport import Transport, client_for

R = TypeVar("R")

# The transport knows where it asks: what the SDK is told decides nothing.
SOMEWHERE = "http://tool-server.invalid/"
HOLDFAST = types.Implementation(name="holdfast", version="1")

log = structlog.get_logger(__name__)


async def listed_tools(server: Server, limits: Limits) -> list[types.Tool]:
    """The tools as the server describes them; of more than can be used only the first."""
    return await _in_session(server, limits, limits.look_seconds, _list)


async def tool_called(
    server: Server, name: str, arguments: dict[str, Any], limits: Limits
) -> types.CallToolResult:
    """What the tool gave back. Cancelled, it tells the server so, and hangs up."""
    params = types.CallToolRequestParams(name=name, arguments=arguments)
    request = types.ClientRequest(types.CallToolRequest(params=params))

    async def call(session: ClientSession) -> types.CallToolResult:
        # Not `session.call_tool`, which asks for the list again and holds the result against a schema of the
        # server's: neither may make a failure of a call that was made.
        return await session.send_request(request, types.CallToolResult)

    return await _in_session(server, limits, limits.call_seconds, call)


async def _list(session: ClientSession) -> list[types.Tool]:
    found: list[types.Tool] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
        found += page.tools
        cursor = page.nextCursor
        if not cursor or len(found) > MOST_TOOLS:
            break
    return found


async def _in_session(
    server: Server, limits: Limits, seconds: float, use: Callable[[ClientSession], Awaitable[R]]
) -> R:
    """What `use` gives; raises ToolServerFailure and nothing else, whatever the server does."""
    async with client_for(limits) as client:
        with anyio.CancelScope() as scope:
            transport = Transport(server, limits, client, scope.cancel)
            try:
                async with asyncio.timeout(seconds):
                    return await _used(server, transport, use)
            except TimeoutError:
                transport.give_up(failures.no_answer_in_time(server.host, seconds))
            except Exception as error:
                cause = _cause(error)
                if isinstance(cause, McpError) and not transport.failure:
                    sentence = failures.said(server.host, cause.error.message, server.key)
                    raise ToolServerFailure(sentence) from None
                _log_unforeseen(cause)
                transport.give_up(failures.unreadable(server.host))
    raise ToolServerFailure(transport.in_words(transport.failure))


async def _used(server: Server, transport: Transport, use: Callable[[ClientSession], Awaitable[R]]) -> R:
    async def take(message: object) -> None:
        if isinstance(message, Exception):
            transport.give_up(failures.unreadable(server.host))

    async with (
        httpx.AsyncClient(transport=transport, trust_env=False, timeout=None) as http,
        streamable_http_client(SOMEWHERE, http_client=http) as (incoming, outgoing, _),
        ClientSession(
            cast("Any", Answers(incoming)), outgoing, message_handler=take, client_info=HOLDFAST
        ) as session,
    ):
        await session.initialize()
        try:
            return await use(session)
        except asyncio.CancelledError:
            await transport.call_off()
            raise


def _cause(error: Exception) -> Exception:
    """What is in the groups that groups of tasks make of a single mishap."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _log_unforeseen(error: Exception) -> None:
    """A result of another shape or a protocol of another time is the server's affair; anything else is ours."""
    if not isinstance(error, ToolServerFailure | ValidationError | RuntimeError):
        log.error("tool_server_broke", exc_info=error)


class Answers:
    """What comes from a server, without its notifications: nobody wants them, and the SDK would log what it cannot
    read of them in full."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aenter__(self) -> Answers:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *about: Any) -> None:
        await self._stream.__aexit__(*about)

    async def __aiter__(self) -> AsyncIterator[SessionMessage | Exception]:
        async for message in self._stream:
            if isinstance(message, Exception) or not isinstance(
                message.message.root, types.JSONRPCNotification
            ):
                yield message
