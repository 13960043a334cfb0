"""Opens a workspace with somebody in it to talk to: the built-in agent, which needs no network and no key."""

from __future__ import annotations

from chat.catalogue import CATALOGUE
from sessions_app.models import User, Workspace
from sessions_app.services.agents import create_agent
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.demo_team import AGENTS
from sessions_app.services.transactions import one_transaction
from sessions_app.services.workspaces import create_workspace


@one_transaction
def open_workspace(name: str, *, by: User, origin: Origin = COMMAND) -> Workspace:
    """Owned by who made it; other agents are set up there by its owners and admins."""
    workspace = create_workspace(name, by=by, origin=origin)
    create_agent(workspace, by=by, catalogue=CATALOGUE, origin=origin, **AGENTS[0])
    return workspace
