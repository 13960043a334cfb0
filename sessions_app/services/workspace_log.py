"""What the audit log tells of a workspace itself: its people, invitations and agents, not its conversations."""

from __future__ import annotations

from django.db.models import QuerySet

from sessions_app.models import AuditEntry, User, Workspace
from sessions_app.services.access import Act, require_in_workspace


def workspace_log(workspace: Workspace, *, by: User) -> QuerySet[AuditEntry]:
    """For those who manage its members: an entry tells from which address somebody came."""
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    return AuditEntry.objects.filter(workspace_id=workspace.pk, conversation_id=None).order_by("-at", "-pk")
