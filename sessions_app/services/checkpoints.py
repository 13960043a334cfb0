"""Takes checkpoints: named pointers into a session that copy nothing."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid
from sessions_app.models import Checkpoint, CheckpointKind, Conversation, Message, Session, User
from sessions_app.services.access import Act, require
from sessions_app.services.log import lock_conversation, lock_session
from sessions_app.services.transactions import one_transaction

NAME_LENGTH = 200


@one_transaction
def take_checkpoint(conversation: Conversation, *, by: User | None, name: str) -> Checkpoint:
    """Afterwards the active session's present end has a name that can be restored."""
    name = clean_text(name).strip()
    if not name or len(name) > NAME_LENGTH:
        raise Invalid(f"A checkpoint needs a name of 1 to {NAME_LENGTH} characters; nothing was changed.")
    conversation = lock_conversation(conversation)
    require(by, conversation, Act.CONTROL)
    session = lock_session(conversation.active_session_id)
    return mark_checkpoint(session, kind=CheckpointKind.MANUAL, name=name, by=by, at=timezone.now())


def mark_checkpoint(
    session: Session, *, kind: CheckpointKind, name: str, by: User | None, at: datetime
) -> Checkpoint:
    """A checkpoint at a locked session's end, inside the caller's transaction."""
    return Checkpoint.objects.create(
        session=session,
        seq=session.last_seq,
        digest=session.head_digest,
        message_count=session.message_count,
        name=name,
        kind=kind,
        taken_by=by,
        taken_at=at,
    )


def position_at(session: Session, seq: int) -> tuple[str, int]:
    """The digest of the chain and the number of sealed messages at `seq`, without counting them."""
    last = (
        Message.objects.filter(session=session, sealed_seq__lte=seq)
        .order_by("-sealed_seq")
        .values_list("digest", "seal_number")
        .first()
    )
    if last is None:
        return session.base_digest, session.base_count
    digest, seal_number = last
    assert seal_number is not None
    return digest, session.base_count + seal_number
