"""The audit log of a conversation: who moved its pointer, through which door, when and why."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, person
from chat.api.finding import find_conversation, find_workspace
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.control import AuditAsked, EntryShape, WorkspaceEntryShape
from sessions_app.models import AuditEntry
from sessions_app.services.workspace_log import workspace_log


class Audit(Resource):
    @described("Read the audit log", gives=page_of(EntryShape), asks=AuditAsked)
    def get(self, request: Request, conversation: str) -> Response:
        """Every entry of the conversation's chain, the newest first. Each digest covers the entry and the digest
        before it, so that the chain can be checked by anybody."""
        found, page = find_conversation(request, conversation), asked(request, AuditAsked)
        entries = AuditEntry.objects.filter(conversation_id=found.pk)
        if "action" in page:
            entries = entries.filter(action=page["action"])
        return Response(
            paged(
                entries,
                by=("-number", "-pk"),
                shape=EntryShape,
                page=page,
            )
        )


class WorkspaceAudit(Resource):
    @described("Read a workspace's audit log", gives=page_of(WorkspaceEntryShape), asks=PageAsked)
    def get(self, request: Request, slug: str) -> Response:
        """What happened to the workspace itself, the newest first: its people, invitations and agents. For owners
        and admins, because it tells from where somebody came."""
        rows, page = (
            workspace_log(find_workspace(request, slug), by=person(request)),
            asked(request, PageAsked),
        )
        return Response(paged(rows, by=("-at", "-pk"), shape=WorkspaceEntryShape, page=page))
