"""Starts a new session in a conversation: a dedicated act, confirmed, audited and reversible."""

from __future__ import annotations

from django.utils import timezone

from sessions_app.models import Action, AuditEntry, Conversation, Session, User
from sessions_app.services.access import Act
from sessions_app.services.audit import Origin, clean_reason, replayed
from sessions_app.services.conversations import lock_for
from sessions_app.services.moves import move_pointer, new_session, require_expected
from sessions_app.services.transactions import one_transaction


@one_transaction
def reset_conversation(
    conversation: Conversation,
    *,
    by: User | None,
    expected_session: Session,
    origin: Origin,
    reason: str = "",
    idempotency_key: str | None = None,
) -> AuditEntry:
    """Afterwards a new, empty session is active and the expected one is archived, whole, with a checkpoint.
    A repetition with the same key changes nothing and gives the same entry."""
    conversation = lock_for(conversation, by, Act.CONTROL)
    request = {"expected_session": str(expected_session.public_id)}
    if earlier := replayed(conversation, idempotency_key, Action.RESET, **request):
        return earlier
    require_expected(conversation, expected_session)
    now = timezone.now()
    return move_pointer(
        conversation,
        Action.RESET,
        to=new_session(conversation, by=by, at=now),
        by=by,
        origin=origin,
        at=now,
        reason=clean_reason(reason),
        idempotency_key=idempotency_key,
        request=request,
        first_message=False,
    )
