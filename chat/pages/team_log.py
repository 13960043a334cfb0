"""What happened in a workspace lately, in the words people read."""

from __future__ import annotations

from typing import Any

from sessions_app.models import Action, SecurityEvent, User, Workspace
from sessions_app.services.workspace_log import workspace_log

LISTED = 30
WORDS = {
    SecurityEvent.WORKSPACE_CREATED: "made this workspace",
    SecurityEvent.WORKSPACE_RENAMED: "renamed it",
    SecurityEvent.INVITED: "invited",
    SecurityEvent.INVITATION_REVOKED: "revoked an invitation",
    SecurityEvent.MEMBER_JOINED: "joined",
    SecurityEvent.ROLE_CHANGED: "changed a role",
    SecurityEvent.MEMBER_REMOVED: "removed somebody",
    SecurityEvent.MEMBER_LEFT: "left",
    SecurityEvent.OWNERSHIP_HANDED_OVER: "handed the workspace over",
    Action.CREATE_AGENT: "made an agent",
    Action.CHANGE_AGENT: "changed an agent",
}


def lately(workspace: Workspace, *, by: User) -> list[dict[str, Any]]:
    """The newest entries of those that have words here."""
    entries = workspace_log(workspace, by=by).filter(action__in=list(WORDS))[:LISTED]
    return [
        {
            "at": entry.at,
            "who": entry.told["actor_name"],
            "what": WORDS[entry.action],  # type: ignore[index]
            "about": _about(entry.told),
            "address": entry.told["address"],
        }
        for entry in entries
    ]


def _about(told: dict[str, Any]) -> str:
    """Which invitation it was is for the audit log; people know it by whom it is for."""
    about: str = told.get("about") or told.get("agent", {}).get("name", "")
    return about.partition(", invitation ")[0]
