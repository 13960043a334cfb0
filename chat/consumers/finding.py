"""Finds what a frame names among what its sender may see; the rest is not found, whether it exists or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat.broadcast.place import Place, place_of
from sessions_app.errors import HoldfastError
from sessions_app.models import Conversation, Instance, Membership, Message, Session, Turn, User
from sessions_app.services.access import standing_in

PLACED = "conversation__workspace"


class NotFound(HoldfastError):
    code = "not_found"
    sentence = "There is nothing here by this id that you may see; nothing was done."


@dataclass(frozen=True)
class Subscription:
    """A session somebody may follow, and where its log ends now."""

    session_id: int
    session: str
    last_seq: int
    is_active: bool
    role: str
    level: str | None
    place: Place


def find_person(user_id: int) -> User:
    return User.objects.get(pk=user_id)


def find_subscription(user_id: int, session: UUID) -> Subscription:
    user = find_person(user_id)
    found = _one(Session.objects.visible_to(user).select_related(PLACED), session)
    standing = standing_in(user, found.conversation)
    return Subscription(
        session_id=found.pk,
        session=str(found.public_id),
        last_seq=found.last_seq,
        is_active=found.is_active,
        role=standing.role or "",
        level=standing.level,
        place=place_of(found.conversation),
    )


def find_conversation(user: User, conversation: UUID) -> Conversation:
    found: Conversation = _one(
        Conversation.objects.visible_to(user).select_related("workspace"), conversation
    )
    return found


def find_person_and_conversation(user_id: int, conversation: UUID) -> tuple[User, Conversation]:
    user = find_person(user_id)
    return user, find_conversation(user, conversation)


def find_session(user: User, session: UUID) -> Session:
    found: Session = _one(Session.objects.visible_to(user), session)
    return found


def find_turn(user: User, turn: UUID) -> Turn:
    found: Turn = _one(Turn.objects.visible_to(user).select_related(f"session__{PLACED}"), turn)
    return found


def find_message(user: User, message: UUID) -> Message:
    found: Message = _one(Message.objects.visible_to(user).select_related(PLACED), message)
    return found


def workspaces_of(user_id: int) -> frozenset[int]:
    return frozenset(Membership.objects.filter(user=user_id).values_list("workspace_id", flat=True))


def instance_id() -> str:
    instance = Instance.objects.first()
    return str(instance.public_id) if instance else ""


def _one(rows: Any, public_id: UUID) -> Any:
    found = rows.filter(public_id=public_id).first()
    if found is None:
        raise NotFound
    return found
