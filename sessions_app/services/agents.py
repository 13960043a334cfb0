"""Creates agents and changes them, audited; a key goes in and comes out for the runner alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Unpack

from django.utils import timezone

from sessions_app.encryption import decrypt
from sessions_app.errors import HandleTaken
from sessions_app.models import Action, Agent, ToolServer, User, Workspace
from sessions_app.services.access import Act, require_in_workspace
from sessions_app.services.agent_checks import CHECKS, refuse
from sessions_app.services.agent_fields import AgentFields, Catalogue, set_fields
from sessions_app.services.audit import COMMAND, Origin, write_workspace_entry
from sessions_app.services.transactions import one_transaction


@one_transaction
def create_agent(
    workspace: Workspace,
    *,
    by: User | None,
    catalogue: Catalogue,
    key: str = "",
    tool_servers: Collection[str] = (),
    origin: Origin = COMMAND,
    idempotency_key: str | None = None,
    **fields: Unpack[AgentFields],
) -> Agent:
    """A new agent of the workspace; refused where a field cannot be used or the handle is taken. `tool_servers`
    are names: it has the tools of those, and of no other."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    agent = Agent(workspace=workspace)
    set_fields(agent, fields, key=key, catalogue=catalogue)
    _require_free_handle(agent)
    servers = _servers_named(agent, tool_servers)
    agent.save(force_insert=True)
    agent.tool_servers.set(servers)
    settings = {name: getattr(agent, name) for name in CHECKS} | {"tool_servers": _names(servers)}
    _audit(agent, Action.CREATE_AGENT, by, origin, idempotency_key, settings=settings, has_key=agent.has_key)
    return agent


@one_transaction
def change_agent(
    agent: Agent,
    *,
    by: User | None,
    catalogue: Catalogue,
    key: str | None = None,
    tool_servers: Collection[str] | None = None,
    origin: Origin = COMMAND,
    **fields: Unpack[AgentFields],
) -> Agent:
    """Changes what is given and leaves the rest. `key` replaces the agent's key, and "" clears it."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=agent.workspace_id)
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    agent = Agent.objects.select_for_update(no_key=True).get(pk=agent.pk)
    before, had_key = {name: getattr(agent, name) for name in CHECKS}, agent.has_key
    set_fields(agent, fields, key=key, catalogue=catalogue)
    _require_free_handle(agent)
    changed = {
        name: {"from": old, "to": getattr(agent, name)}
        for name, old in before.items()
        if getattr(agent, name) != old
    }
    columns = [*changed, "encrypted_key"]
    changed |= _choose_servers(agent, tool_servers)
    facts: dict[str, Any] = {"changed": changed, **about_key(key, had_key=had_key, has_key=agent.has_key)}
    if changed or "key" in facts:
        agent.save(update_fields=columns)
        _audit(agent, Action.CHANGE_AGENT, by, origin, **facts)
    return agent


def agent_key(agent: Agent) -> str:
    """The key in the clear, for the runner alone; refused where it can no longer be decrypted."""
    return decrypt(agent.encrypted_key) if agent.has_key else ""


def _choose_servers(agent: Agent, wanted: Collection[str] | None) -> dict[str, Any]:
    """Which servers lend it their tools from now on, and what of that is new."""
    if wanted is None:
        return {}
    before, servers = _names(agent.tool_servers.all()), _servers_named(agent, wanted)
    agent.tool_servers.set(servers)
    after = _names(servers)
    return {} if before == after else {"tool_servers": {"from": before, "to": after}}


def _servers_named(agent: Agent, names: Collection[str]) -> list[ToolServer]:
    servers = list(ToolServer.objects.filter(workspace=agent.workspace_id, name__in=names))
    if unknown := set(names) - {server.name for server in servers}:
        refuse(f"This workspace has no tool server called {', '.join(sorted(unknown))};")
    return servers


def _names(servers: Iterable[ToolServer]) -> list[str]:
    return sorted(server.name for server in servers)


def _require_free_handle(agent: Agent) -> None:
    others = Agent.objects.filter(workspace=agent.workspace_id, handle=agent.handle)
    if others.exclude(pk=agent.pk).exists():
        raise HandleTaken


def about_key(key: str | None, *, had_key: bool, has_key: bool) -> dict[str, str]:
    """What happened to the key, without a word of it."""
    if key is None or not (had_key or has_key):
        return {}
    if not has_key:
        return {"key": "cleared"}
    return {"key": "replaced" if had_key else "set"}


def _audit(
    agent: Agent,
    action: Action,
    by: User | None,
    origin: Origin,
    idempotency_key: str | None = None,
    **facts: Any,
) -> None:
    about = {"id": str(agent.public_id), "handle": agent.handle, "name": agent.name}
    write_workspace_entry(
        agent.workspace,
        action,
        by=by,
        origin=origin,
        at=timezone.now(),
        idempotency_key=idempotency_key,
        agent=about,
        **facts,
    )
