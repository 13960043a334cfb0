"""Creates agents and changes them, audited; a key goes in and comes out for the runner alone."""

from __future__ import annotations

from typing import Any, Unpack

from django.utils import timezone

from sessions_app.encryption import decrypt
from sessions_app.errors import HandleTaken
from sessions_app.models import Action, Agent, User, Workspace
from sessions_app.services.access import Act, require
from sessions_app.services.agent_checks import CHECKS
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
    origin: Origin = COMMAND,
    idempotency_key: str | None = None,
    **fields: Unpack[AgentFields],
) -> Agent:
    """A new agent of the workspace; refused where a field cannot be used or the handle is taken."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)
    require(by, workspace.pk, Act.MANAGE)
    agent = Agent(workspace=workspace)
    set_fields(agent, fields, key=key, catalogue=catalogue)
    _require_free_handle(agent)
    agent.save(force_insert=True)
    settings = {name: getattr(agent, name) for name in CHECKS}
    _audit(agent, Action.CREATE_AGENT, by, origin, idempotency_key, settings=settings, has_key=agent.has_key)
    return agent


@one_transaction
def change_agent(
    agent: Agent,
    *,
    by: User | None,
    catalogue: Catalogue,
    key: str | None = None,
    origin: Origin = COMMAND,
    **fields: Unpack[AgentFields],
) -> Agent:
    """Changes what is given and leaves the rest. `key` replaces the agent's key, and "" clears it."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=agent.workspace_id)
    require(by, workspace.pk, Act.MANAGE)
    agent = Agent.objects.select_for_update(no_key=True).get(pk=agent.pk)
    before, had_key = {name: getattr(agent, name) for name in CHECKS}, agent.has_key
    set_fields(agent, fields, key=key, catalogue=catalogue)
    _require_free_handle(agent)
    changed = {
        name: {"from": old, "to": getattr(agent, name)}
        for name, old in before.items()
        if getattr(agent, name) != old
    }
    facts: dict[str, Any] = {"changed": changed, **_about_key(key, had_key=had_key, has_key=agent.has_key)}
    if changed or "key" in facts:
        agent.save(update_fields=[*changed, "encrypted_key"])
        _audit(agent, Action.CHANGE_AGENT, by, origin, **facts)
    return agent


def agent_key(agent: Agent) -> str:
    """The key in the clear, for the runner alone; refused where it can no longer be decrypted."""
    return decrypt(agent.encrypted_key) if agent.has_key else ""


def _require_free_handle(agent: Agent) -> None:
    others = Agent.objects.filter(workspace=agent.workspace_id, handle=agent.handle)
    if others.exclude(pk=agent.pk).exists():
        raise HandleTaken


def _about_key(key: str | None, *, had_key: bool, has_key: bool) -> dict[str, str]:
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
