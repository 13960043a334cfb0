"""Conversations: listed, started, renamed, set up, pinned, archived and deleted, each so that it can be undone."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent
from chat.api.finding import (
    agents_of,
    conversations_of,
    find_conversation,
    find_workspace,
    workspace_to_add_to,
    workspaces_of,
)
from chat.api.paging import paged
from chat.api.schema import described, page_of
from chat.api.shapes.conversations import (
    ConversationsAsked,
    ConversationShape,
    NewConversation,
    Renaming,
    SettingsChange,
)
from chat.broadcast.announcing import announce
from chat.models import Scope
from sessions_app.errors import Invalid
from sessions_app.models import Agent, Conversation, Openness, Workspace
from sessions_app.services.conversations import (
    archive_conversation,
    change_settings,
    pin_conversation,
    rename_conversation,
    start_conversation,
    unarchive_conversation,
)
from sessions_app.services.deletion import delete_conversation, undelete_conversation


class Conversations(Resource):
    @described("List conversations", gives=page_of(ConversationShape), asks=ConversationsAsked)
    def get(self, request: Request) -> Response:
        """The conversations you may read, the last touched first; deleted ones are not among them."""
        page = asked(request, ConversationsAsked)
        return Response(
            paged(
                _filtered(request, page),
                by=("-touched_at", "-pk"),
                shape=ConversationShape,
                page=page,
            )
        )

    @described("Start a conversation", gives=ConversationShape, sends=NewConversation, status=201)
    def post(self, request: Request) -> Response:
        """Starts a conversation with an empty first session. A key that exists already is refused with 409."""
        fields = sent(request, NewConversation)
        workspace = _chosen_workspace(request, fields.get("workspace"))
        started = start_conversation(
            workspace,
            by=person(request),
            key=fields.get("key", ""),
            title=fields.get("title", ""),
            agent=_chosen_agent(request, workspace, fields.get("agent")),
            openness=fields.get("openness", Openness.OPEN),
            origin=came_by(request),
        )
        announce(started)
        return Response(_shown(request, started), status=201)


class OneConversation(Resource):
    @described("Get a conversation", gives=ConversationShape)
    def get(self, request: Request, conversation: str) -> Response:
        """A conversation by its id or by its key, such as team:general."""
        return Response(ConversationShape(find_conversation(request, conversation)).data)

    @described("Rename a conversation", gives=ConversationShape, sends=Renaming)
    def patch(self, request: Request, conversation: str) -> Response:
        """Gives it another title; its key stays."""
        found, fields = find_conversation(request, conversation), sent(request, Renaming)
        renamed = rename_conversation(found, by=person(request), title=fields["title"])
        announce(renamed)
        return Response(_shown(request, renamed))


class Settings(Resource):
    @described("Change who answers and how", gives=ConversationShape, sends=SettingsChange)
    def patch(self, request: Request, conversation: str) -> Response:
        """Changes what you send and leaves the rest; everybody reads in the transcript that it was changed."""
        found, fields = find_conversation(request, conversation), sent(request, SettingsChange)
        agent = fields.get("agent")
        changed = change_settings(
            found,
            by=person(request),
            agent=_agent_by(request, found.workspace, agent) if agent is not None else None,
            system_prompt=fields.get("system_prompt"),
            answers=fields.get("answers"),
        )
        announce(changed)
        return Response(_shown(request, changed))


class Pin(Resource):
    @described("Pin a conversation", gives=None, status=204)
    def put(self, request: Request, conversation: str) -> Response:
        """Keeps it at the top of your own list. Twice is once."""
        return self._pinned(request, conversation, pinned=True)

    @described("Unpin a conversation", gives=None, status=204)
    def delete(self, request: Request, conversation: str) -> Response:
        """Lets it sink in your own list again. Twice is once."""
        return self._pinned(request, conversation, pinned=False)

    def _pinned(self, request: Request, conversation: str, *, pinned: bool) -> Response:
        pin_conversation(find_conversation(request, conversation), by=person(request), pinned=pinned)
        return Response(status=204)


class Archive(Resource):
    changes = Scope.CONTROL

    @described("Archive a conversation", gives=None, status=204)
    def put(self, request: Request, conversation: str) -> Response:
        """Takes it out of the list for everybody; every word stays. Twice is once."""
        found = find_conversation(request, conversation)
        announce(archive_conversation(found, by=person(request), origin=came_by(request)))
        return Response(status=204)

    @described("Take a conversation out of the archive", gives=None, status=204)
    def delete(self, request: Request, conversation: str) -> Response:
        """Puts it back into the list. Twice is once."""
        found = find_conversation(request, conversation)
        announce(unarchive_conversation(found, by=person(request), origin=came_by(request)))
        return Response(status=204)


class Deletion(Resource):
    changes = Scope.CONTROL

    @described("Delete a conversation", gives=None, status=204)
    def put(self, request: Request, conversation: str) -> Response:
        """Deletes it so that it comes back: it is archived with a mark, and listed as deleted for 30 days."""
        found = find_conversation(request, conversation)
        announce(delete_conversation(found, by=person(request), origin=came_by(request)))
        return Response(status=204)

    @described("Bring a deleted conversation back", gives=None, status=204)
    def delete(self, request: Request, conversation: str) -> Response:
        """Afterwards it is where it was before. Twice is once."""
        found = find_conversation(request, conversation)
        announce(undelete_conversation(found, by=person(request), origin=came_by(request)))
        return Response(status=204)


def _filtered(request: Request, page: dict[str, Any]) -> QuerySet[Conversation]:
    found = conversations_of(request).filter(archived_at__isnull=not page["archived"], deleted_at=None)
    if "workspace" in page:
        found = found.filter(workspace=find_workspace(request, page["workspace"]))
    if "agent" in page:
        found = found.filter(agent__handle=page["agent"])
    if "title" in page:
        found = found.filter(title__icontains=page["title"])
    return found


def _chosen_workspace(request: Request, slug: str | None) -> Workspace:
    places = list(workspaces_of(request).distinct()[:2]) if slug is None else []
    if slug is None and len(places) != 1:
        raise Invalid("Name the “workspace” it is for, by its slug; nothing was started.")
    return workspace_to_add_to(request, slug if slug is not None else places[0].slug)


def _chosen_agent(request: Request, workspace: Workspace, handle: str | None) -> Agent | None:
    if handle is not None:
        return _agent_by(request, workspace, handle)
    return workspace.agents.filter(is_active=True).order_by("pk").first()


def _agent_by(request: Request, workspace: Workspace, handle: str) -> Agent:
    found = agents_of(request).filter(workspace=workspace, handle=handle) if handle.isprintable() else None
    agent = found.first() if found is not None else None
    if agent is None:
        raise Invalid("This workspace has no agent by this handle; nothing was changed.")
    return agent


def _shown(request: Request, changed: Conversation) -> dict[str, object]:
    return ConversationShape(find_conversation(request, str(changed.public_id))).data
