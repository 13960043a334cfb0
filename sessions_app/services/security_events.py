"""Writes who came in, who was kept out and what was changed about access to the instance's own audit chain."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid
from sessions_app.models import AuditEntry, Trigger, User, Workspace
from sessions_app.services.audit import COMMAND, Origin, append_instance_entry
from sessions_app.services.transactions import one_transaction

LONGEST_KIND = 30
LONGEST_ABOUT = 300


@one_transaction
def record_security_event(
    kind: str,
    *,
    by: User | None,
    workspace: Workspace | None = None,
    about: str = "",
    origin: Origin = COMMAND,
) -> AuditEntry:
    """Afterwards the instance's chain says that this happened, and so does the log of the workspace it happened
    in. `kind` is one of SecurityEvent, or a new name."""
    if not 0 < len(kind) <= LONGEST_KIND or not kind.isidentifier():
        raise Invalid(f"A security event is named by a word of 1 to {LONGEST_KIND} characters.")
    facts: dict[str, Any] = {"about": clean_text(about)[:LONGEST_ABOUT]}
    if workspace is not None:
        facts["workspace"] = {"id": str(workspace.public_id), "name": workspace.name}
    if by is None and origin.trigger != Trigger.COMMAND:
        facts["actor_name"] = "nobody signed in"
    at = timezone.now()
    return append_instance_entry(kind, by=by, origin=origin, at=at, within=workspace, **facts)
