"""Where something happened, in ids for the database and in ids for the outside."""

from __future__ import annotations

from dataclasses import dataclass

from sessions_app.models import Conversation


@dataclass(frozen=True)
class Place:
    conversation_id: int
    conversation: str
    workspace_id: int
    workspace: str
    is_open: bool


def place_of(conversation: Conversation) -> Place:
    workspace = conversation.workspace
    return Place(
        conversation.pk,
        str(conversation.public_id),
        workspace.pk,
        str(workspace.public_id),
        conversation.is_open,
    )
