"""Finds what an address names among what its caller may see; everything else is not found, there or not."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from rest_framework.request import Request

from chat.api.base import person, token_of
from chat.api.errors import OutOfScope
from sessions_app.errors import Conflict, Invalid, NotFound
from sessions_app.models import (
    Agent,
    Checkpoint,
    Conversation,
    Invitation,
    Membership,
    Message,
    Session,
    ToolServer,
    Turn,
    Workspace,
)
from sessions_app.services.conversations import KEY

M = TypeVar("M", bound=Model)


class AmbiguousKey(Conflict):
    code = "ambiguous_key"
    sentence = "Several of your workspaces have a conversation by this key; add ?workspace= with one's slug."


def workspaces_of(request: Request) -> QuerySet[Workspace]:
    found, token = Workspace.objects.visible_to(person(request)), token_of(request)
    if token is not None and token.only_workspace:
        found = found.filter(public_id=token.only_workspace)
    if token is not None and token.only_conversation:
        visible = Conversation.objects.visible_to(person(request))
        found = found.filter(conversations__in=visible.filter(public_id=token.only_conversation))
    return found


def members_of(request: Request) -> QuerySet[Membership]:
    return Membership.objects.filter(workspace__in=workspaces_of(request)).select_related("user", "workspace")


def agents_of(request: Request) -> QuerySet[Agent]:
    found = Agent.objects.filter(workspace__in=workspaces_of(request)).select_related("workspace")
    return found.prefetch_related("tool_servers")


def tool_servers_of(request: Request) -> QuerySet[ToolServer]:
    return ToolServer.objects.filter(workspace__in=workspaces_of(request)).select_related("workspace")


def conversations_of(request: Request) -> QuerySet[Conversation]:
    found = Conversation.objects.visible_to(person(request)).filter(limits(request))
    return found.select_related("workspace", "active_session", "agent")


def limits(request: Request, path: str = "") -> Q:
    """How far the caller's token reaches, for rows that lead to a conversation by `path`."""
    token, reach = token_of(request), Q()
    if token is not None and token.only_workspace:
        reach &= Q(**{f"{path}workspace__public_id": token.only_workspace})
    if token is not None and token.only_conversation:
        reach &= Q(**{f"{path}public_id": token.only_conversation})
    return reach


def find_workspace(request: Request, slug: str) -> Workspace:
    return _one(workspaces_of(request).filter(slug=slug)) if _is_plain(slug) else _nothing()


def only_workspace(request: Request) -> Workspace:
    """The one that the caller's token is good for."""
    return _one(workspaces_of(request))


def workspace_to_add_to(request: Request, slug: str) -> Workspace:
    """The same for what makes something new in it, which a token for one conversation may not."""
    token = token_of(request)
    if token is not None and token.only_conversation:
        raise OutOfScope
    return find_workspace(request, slug)


def find_member(request: Request, slug: str, person_id: UUID) -> Membership:
    """Somebody's place in a workspace, by the person's id."""
    rows = members_of(request).filter(workspace=find_workspace(request, slug))
    return _one(rows.filter(user__public_id=person_id))


def find_invitation(request: Request, slug: str, public_id: UUID) -> Invitation:
    rows = find_workspace(request, slug).invitations.select_related("workspace")
    return _one(rows.filter(public_id=public_id))


def find_agent(request: Request, public_id: UUID) -> Agent:
    return _one(agents_of(request).filter(public_id=public_id))


def find_tool_server(request: Request, public_id: UUID) -> ToolServer:
    return _one(tool_servers_of(request).filter(public_id=public_id))


def find_conversation(request: Request, name: str) -> Conversation:
    """By its id, or by its key; where two workspaces have the same key, `?workspace=` says which is meant."""
    found = conversations_of(request)
    if slug := request.query_params.get("workspace"):
        found = found.filter(workspace=find_workspace(request, slug))
    if (public_id := as_uuid(name)) is not None:
        return _one(found.filter(public_id=public_id))
    if not KEY.fullmatch(name):
        raise NotFound
    rows = list(found.filter(key=name)[:2])
    if len(rows) > 1:
        raise AmbiguousKey
    return rows[0] if rows else _nothing()


def find_session(request: Request, public_id: UUID) -> Session:
    rows = Session.objects.visible_to(person(request)).filter(limits(request, "conversation__"))
    return _one(rows.select_related("conversation__workspace", "parent").filter(public_id=public_id))


def find_message(request: Request, public_id: UUID) -> Message:
    rows = Message.objects.visible_to(person(request)).filter(limits(request, "conversation__"))
    whole = rows.select_related("conversation__workspace", "session", "author", "agent")
    return _one(whole.filter(public_id=public_id))


def find_turn(request: Request, public_id: UUID) -> Turn:
    rows = Turn.objects.visible_to(person(request)).filter(limits(request, "session__conversation__"))
    whole = rows.select_related("session__conversation__workspace", "question", "reply", "agent", "asked_by")
    return _one(whole.filter(public_id=public_id))


def find_checkpoint(conversation: Conversation, public_id: UUID) -> Checkpoint:
    rows = Checkpoint.objects.filter(session__conversation=conversation)
    return _one(rows.select_related("session__conversation").filter(public_id=public_id))


def session_within(conversation: Conversation, public_id: UUID | None) -> Session | None:
    """One of the conversation's own sessions, for what must name the one it was meant for."""
    if public_id is None:
        return None
    found = conversation.sessions.filter(public_id=public_id).first()
    if found is None:
        raise Invalid("This conversation has no such session; nothing was changed.")
    return found


def as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _is_plain(text: str) -> bool:
    return text.isprintable()


def _one(rows: QuerySet[M]) -> M:
    found = rows.first()
    return found if found is not None else _nothing()


def _nothing() -> Any:
    raise NotFound("There is nothing here by this name that you may see.")
