"""Adds tool servers to a workspace and changes them, audited; a key goes in and comes out for a call alone."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import AddressNotAllowed, NameTaken, ServerKeyUnreadable
from sessions_app.models import Action, ToolServer, User, Workspace
from sessions_app.services.access import Act, require_in_workspace
from sessions_app.services.agent_checks import refuse
from sessions_app.services.agent_fields import Catalogue
from sessions_app.services.agents import about_key
from sessions_app.services.audit import COMMAND, Origin, write_workspace_entry
from sessions_app.services.tool_server_checks import checked_name, checked_server_address, checked_server_key
from sessions_app.services.transactions import one_transaction

AUDITED = ("name", "address", "trusts_hints", "is_active")


@one_transaction
def create_tool_server(
    workspace: Workspace,
    *,
    by: User | None,
    catalogue: Catalogue,
    name: str,
    address: str,
    key: str = "",
    trusts_hints: bool = False,
    origin: Origin = COMMAND,
) -> ToolServer:
    """A new server of the workspace, whose tools are not known yet and which no agent uses yet."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    server = ToolServer(workspace=workspace, name=checked_name(name), trusts_hints=trusts_hints)
    server.address = _allowed_address(address, catalogue)
    server.encrypted_key = _encrypted(key)
    if ToolServer.objects.filter(workspace=workspace, name=server.name).exists():
        raise NameTaken
    server.save(force_insert=True)
    settings = {field: getattr(server, field) for field in AUDITED}
    audit_tool_server(
        server, Action.CREATE_TOOL_SERVER, by, origin, settings=settings, has_key=server.has_key
    )
    return server


@one_transaction
def change_tool_server(
    server: ToolServer,
    *,
    by: User | None,
    catalogue: Catalogue,
    address: str | None = None,
    key: str | None = None,
    trusts_hints: bool | None = None,
    is_active: bool | None = None,
    origin: Origin = COMMAND,
) -> ToolServer:
    """Changes what is given and leaves the rest. `key` replaces the server's key, and "" clears it. One that is
    switched off is asked by nobody from the next call on."""
    server = lock_tool_server(server, by)
    before, had_key = {field: getattr(server, field) for field in AUDITED}, server.has_key
    if address is not None and checked_server_address(address) != server.address:
        server.address = _allowed_address(address, catalogue)
        if server.has_key and key is None:
            # Otherwise who may change the address could have the key sent to a server of their own.
            refuse("The key belongs to the old address. Enter it again, or clear it;")
    if key is not None:
        server.encrypted_key = _encrypted(key)
    server.trusts_hints = server.trusts_hints if trusts_hints is None else trusts_hints
    server.is_active = server.is_active if is_active is None else is_active
    changed = {
        field: {"from": old, "to": getattr(server, field)}
        for field, old in before.items()
        if getattr(server, field) != old
    }
    facts: dict[str, Any] = {"changed": changed, **about_key(key, had_key=had_key, has_key=server.has_key)}
    if changed or "key" in facts:
        server.save(update_fields=[*changed, "encrypted_key"])
        audit_tool_server(server, Action.CHANGE_TOOL_SERVER, by, origin, **facts)
    return server


def lock_tool_server(server: ToolServer, by: User | None) -> ToolServer:
    """The row as it is now, for somebody who may change it."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=server.workspace_id)
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    return (
        ToolServer.objects.select_related("workspace")
        .select_for_update(no_key=True, of=("self",))
        .get(pk=server.pk)
    )


def tool_server_key(server: ToolServer) -> str:
    """The key in the clear, for a call alone; refused where it can no longer be decrypted."""
    return decrypt(server.encrypted_key, ServerKeyUnreadable) if server.has_key else ""


def audit_tool_server(
    server: ToolServer, action: Action, by: User | None, origin: Origin, **facts: Any
) -> None:
    write_workspace_entry(
        server.workspace,
        action,
        by=by,
        origin=origin,
        at=timezone.now(),
        tool_server={"id": str(server.public_id), "name": server.name},
        **facts,
    )


def _allowed_address(value: str, catalogue: Catalogue) -> str:
    address = checked_server_address(value)
    if sentence := catalogue.why_refused(address):
        raise AddressNotAllowed(f"{sentence} Nothing was changed.")
    return address


def _encrypted(key: str) -> str:
    return encrypt(checked_server_key(key)) if key.strip() else ""
