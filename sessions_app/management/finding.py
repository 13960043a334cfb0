"""Finds what somebody at a shell names: a conversation by its key or id, a session by its id or as key#number."""

from __future__ import annotations

from uuid import UUID

from django.core.management.base import CommandError
from django.db.models import QuerySet

from sessions_app.models import Checkpoint, Conversation, Session, Workspace


def workspace_called(slug: str) -> Workspace:
    found = Workspace.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"There is no workspace {slug}.")
    return found


def conversation_called(name: str, *, workspace: str | None = None) -> Conversation:
    found = Conversation.objects.select_related("workspace", "active_session")
    if workspace:
        found = found.filter(workspace__slug=workspace)
    public_id = _id(name)
    matching = found.filter(public_id=public_id) if public_id else found.filter(key=name)
    return _only(matching, name)


def session_called(name: str, *, workspace: str | None = None) -> Session:
    sessions = Session.objects.select_related("conversation__workspace", "conversation__active_session")
    if public_id := _id(name):
        found = sessions.filter(public_id=public_id).first()
    else:
        key, _, number = name.rpartition("#")
        if not key or not number.isdigit():
            raise CommandError(
                f"“{name}” is neither a session's id nor a key with a number, as in team:general#2."
            )
        conversation = conversation_called(key, workspace=workspace)
        found = sessions.filter(conversation=conversation, number=int(number)).first()
    if found is None:
        raise CommandError(f"There is no session {name}.")
    return found


def checkpoint_called(name: str) -> Checkpoint:
    public_id = _id(name)
    checkpoints = Checkpoint.objects.select_related("session__conversation__active_session")
    found = checkpoints.filter(public_id=public_id).first() if public_id else None
    if found is None:
        raise CommandError(f"There is no checkpoint {name}; `list_sessions --json` tells their ids.")
    return found


def _only(matching: QuerySet[Conversation], name: str) -> Conversation:
    found = list(matching[:2])
    if not found:
        raise CommandError(f"There is no conversation {name}.")
    if len(found) > 1:
        raise CommandError(f"Several workspaces have a conversation {name}; say which with --workspace.")
    return found[0]


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
