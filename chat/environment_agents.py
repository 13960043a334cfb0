"""Adds the agents that the environment asks for to the first workspace, once."""

from collections.abc import Callable
from typing import Any

from django.conf import settings

from chat.catalogue import CATALOGUE
from sessions_app.errors import AddressNotAllowed, HandleTaken, Invalid, StartupRefused
from sessions_app.models import Agent, AuditEntry, Workspace
from sessions_app.services.agents import create_agent
from sessions_app.services.audit import workspace_chain


def add_environment_agents(tell: Callable[[str], object]) -> list[Agent]:
    """The agents that were added now. The audit log remembers what was added before, whatever people have made
    of it since: an agent that they renamed or switched off does not come back. `tell` is given the
    reason why one is left out: a shell's variables are often meant for other programs, so the server starts."""
    workspace = Workspace.objects.order_by("pk").first()
    if workspace is None:
        return []
    added = [_add(workspace, tell, **wanted) for wanted in settings.ENVIRONMENT_AGENTS]
    return [agent for agent in added if agent is not None]


def _add(
    workspace: Workspace, tell: Callable[[str], object], *, variables: str, key: str, fields: dict[str, Any]
) -> Agent | None:
    mark = f"environment:{fields['handle']}"
    if AuditEntry.objects.filter(chain=workspace_chain(workspace), idempotency_key=mark).exists():
        return None
    try:
        return create_agent(workspace, by=None, catalogue=CATALOGUE, key=key, idempotency_key=mark, **fields)
    except HandleTaken:
        return None  # another process was first, or somebody made such an agent by hand
    except AddressNotAllowed as refusal:
        tell(f"The agent from {variables} is left out. {refusal}")
        return None
    except Invalid as refusal:
        raise StartupRefused(f"The agent from {variables} cannot be added. {refusal}") from refusal
