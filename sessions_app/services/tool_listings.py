"""Remembers which tools a server has shown, and finds those that an agent, or a reply, was given."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from django.utils import timezone

from sessions_app.canonical import canonical_json
from sessions_app.errors import Conflict
from sessions_app.models import Action, Agent, ToolListing, ToolServer, User
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.tool_servers import audit_tool_server, lock_tool_server
from sessions_app.services.transactions import one_transaction

MOVED = "The server's address or key was changed while it was asked, so its tools were not noted; look again."


class ListedTool(TypedDict):
    """`name` is what models call, `remote_name` what the server calls it."""

    name: str
    remote_name: str
    description: str
    parameters: dict[str, object]
    may_be_repeated: bool


@one_transaction
def record_listing(
    server: ToolServer, tools: Sequence[ListedTool], *, by: User | None, origin: Origin = COMMAND
) -> ToolServer:
    """Afterwards these are the tools that models are told of. `server` is the row as it was when it was asked.
    A list that differs from the one before is a new row and an entry; the same again only says when."""
    locked = lock_tool_server(server, by)
    if (locked.address, locked.encrypted_key) != (server.address, server.encrypted_key):
        raise Conflict(MOVED)
    locked.seen_at = timezone.now()
    locked.save(update_fields=["seen_at"])
    text = canonical_json(list(tools))
    digest, before = hashlib.sha256(text.encode()).hexdigest(), locked.listing
    if before is None or before.digest != digest:
        ToolListing.objects.create(server=locked, tools=text, digest=digest, taken_at=locked.seen_at)
        facts = _differences(before.told if before else [], list(tools))
        audit_tool_server(locked, Action.LIST_TOOLS, by, origin, tools=len(tools), **facts)
    return locked


def listings_of(agent: Agent) -> list[ToolListing]:
    """The newest listing of each server that is switched on for the agent and works."""
    servers = agent.tool_servers.filter(is_active=True).order_by("name")
    return [listing for server in servers if (listing := server.listing) is not None]


def listings_named(public_ids: Iterable[str]) -> list[ToolListing]:
    """Those that the log names, in its order."""
    wanted = list(public_ids)
    if not wanted:
        return []
    found = ToolListing.objects.select_related("server").filter(public_id__in=wanted)
    by_id = {str(listing.public_id): listing for listing in found}
    return [by_id[public_id] for public_id in wanted if public_id in by_id]


def _differences(before: list[dict[str, Any]], after: Sequence[Any]) -> dict[str, list[str]]:
    """Which tools are new, gone, or say something else than before."""
    old, new = ({tool["remote_name"]: tool for tool in tools} for tools in (before, after))
    return {
        "added": sorted(new.keys() - old.keys()),
        "gone": sorted(old.keys() - new.keys()),
        "changed": sorted(name for name in new.keys() & old.keys() if new[name] != old[name]),
    }
