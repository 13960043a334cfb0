"""Looks at a tool server for somebody: asks which tools it has, and notes what it shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import cast

from chat.database_threads import read, write
from chat.tool_servers import client
from chat.tool_servers.failures import ToolServerFailure
from chat.tool_servers.server import Server
from sessions_app.errors import ToolServerFailed
from sessions_app.models import ToolServer, User
from sessions_app.services.access import Act, require_in_workspace
from sessions_app.services.audit import Origin
from sessions_app.services.tool_listings import ListedTool, record_listing
from sessions_app.services.tool_servers import tool_server_key


@dataclass(frozen=True)
class Look:
    """The server as it is now, and what of its tools cannot be used, each with its reason."""

    server: ToolServer
    left_out: tuple[str, ...]


async def look_at(server: ToolServer, *, by: User, origin: Origin) -> Look:
    """Afterwards models are told of the tools that it shows now. Who may not change it has nobody asked."""
    await read(require_in_workspace, by, server.workspace_id, Act.MANAGE)
    where = Server(server.address, await read(tool_server_key, server))
    try:
        found = await client.look(server.name, where)
    except ToolServerFailure as failure:
        raise ToolServerFailed(f"{failure} Its tools stay as they were last seen.") from None
    tools = [cast("ListedTool", asdict(tool)) for tool in found.tools]
    return Look(await write(record_listing, server, tools, by=by, origin=origin), found.left_out)
