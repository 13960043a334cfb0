"""Brings history back: an archived session, a checkpoint, or the state before the last move."""

from __future__ import annotations

from django.utils import timezone

from sessions_app.errors import AlreadyActive, Invalid, NothingToUndo
from sessions_app.models import Action, AuditEntry, Checkpoint, Conversation, Session, User
from sessions_app.services.access import Act
from sessions_app.services.audit import Origin, clean_reason, replayed
from sessions_app.services.conversations import lock_for
from sessions_app.services.moves import move_pointer, new_session, require_expected
from sessions_app.services.transactions import one_transaction


@one_transaction
def restore_session(
    session: Session,
    *,
    by: User | None,
    origin: Origin,
    expected_session: Session | None = None,
    reason: str = "",
    idempotency_key: str | None = None,
) -> AuditEntry:
    """Afterwards the archived session is the active one again, and the one that was active is archived."""
    conversation = lock_for(session.conversation, by, Act.CONTROL)
    request = {"session": str(session.public_id)}
    if earlier := replayed(conversation, idempotency_key, Action.RESTORE_SESSION, **request):
        return earlier
    require_expected(conversation, expected_session)
    if session.pk == conversation.active_session_id:
        raise AlreadyActive
    return move_pointer(
        conversation,
        Action.RESTORE_SESSION,
        to=session,
        by=by,
        origin=origin,
        at=timezone.now(),
        reason=clean_reason(reason),
        idempotency_key=idempotency_key,
        request=request,
    )


@one_transaction
def restore_checkpoint(
    checkpoint: Checkpoint,
    *,
    by: User | None,
    origin: Origin,
    expected_session: Session | None = None,
    reason: str = "",
    idempotency_key: str | None = None,
) -> AuditEntry:
    """Afterwards a new session is active whose history is that of the checkpoint, at the cost of one row."""
    conversation = lock_for(checkpoint.session.conversation, by, Act.CONTROL)
    request = {"checkpoint": str(checkpoint.public_id)}
    if earlier := replayed(conversation, idempotency_key, Action.RESTORE_CHECKPOINT, **request):
        return earlier
    require_expected(conversation, expected_session)
    now = timezone.now()
    fork = new_session(
        conversation,
        by=by,
        at=now,
        parent=checkpoint.session,
        parent_seq=checkpoint.seq,
        base=(checkpoint.digest, checkpoint.message_count),
    )
    return move_pointer(
        conversation,
        Action.RESTORE_CHECKPOINT,
        to=fork,
        by=by,
        origin=origin,
        at=now,
        reason=clean_reason(reason),
        idempotency_key=idempotency_key,
        request=request,
        checkpoint={"id": str(checkpoint.public_id), "name": checkpoint.name},
    )


@one_transaction
def undo_move(
    conversation: Conversation,
    *,
    entry: AuditEntry,
    by: User | None,
    origin: Origin,
    idempotency_key: str | None = None,
) -> AuditEntry:
    """Takes one pointer move back, as long as it is the newest one; an undo can be undone too."""
    conversation = lock_for(conversation, by, Act.CONTROL)
    request = {"entry": entry.number}
    if earlier := replayed(conversation, idempotency_key, Action.UNDO, **request):
        return earlier
    require_expected(conversation, None)
    if entry.conversation_id != conversation.pk:
        raise Invalid("This move belongs to another conversation; nothing was changed.")
    if entry.pk != conversation.active_entry_id or entry.old_session_id is None:
        raise NothingToUndo
    return move_pointer(
        conversation,
        Action.UNDO,
        to=Session.objects.get(pk=entry.old_session_id),
        by=by,
        origin=origin,
        at=timezone.now(),
        idempotency_key=idempotency_key,
        request=request,
        undone=entry.number,
    )
