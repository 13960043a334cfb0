"""Goes on from an earlier point: forks before a message, or sends an edited one in its place."""

from __future__ import annotations

from django.utils import timezone

from sessions_app.errors import Invalid, NotAllowed
from sessions_app.models import Action, AuditEntry, Conversation, Message, MessageRole, Session, User
from sessions_app.services.access import Act
from sessions_app.services.audit import Origin, clean_reason, replayed
from sessions_app.services.checkpoints import position_at
from sessions_app.services.conversations import lock_for
from sessions_app.services.log import lock_session
from sessions_app.services.moves import move_pointer, new_session, require_expected
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transcript import Posted, append_message, checked_text, received_before


@one_transaction
def fork_before(
    message: Message,
    *,
    by: User | None,
    origin: Origin,
    expected_session: Session | None = None,
    reason: str = "",
    idempotency_key: str | None = None,
) -> AuditEntry:
    """Afterwards a new session is active that ends just before `message`; the old one is archived, whole."""
    conversation = lock_for(message.conversation, by, Act.CONTROL)
    request = {"message": str(message.public_id)}
    if earlier := replayed(conversation, idempotency_key, Action.FORK, **request):
        return earlier
    require_expected(conversation, expected_session)
    return _fork(
        conversation, message, by=by, origin=origin, reason=reason, key=idempotency_key, request=request
    )


@one_transaction
def edit_and_resend(
    message: Message,
    *,
    by: User,
    text: str,
    client_id: str,
    origin: Origin,
    expected_session: Session | None = None,
) -> Posted:
    """Forks before one's own message and posts the new text there; the original stays in the old session."""
    text = checked_text(text)
    conversation = lock_for(message.conversation, by, Act.CONTROL)
    if earlier := received_before(conversation, by, client_id, text):
        return earlier
    require_expected(conversation, expected_session)
    if message.role != MessageRole.PERSON:
        raise Invalid("Only what a person wrote can be edited and sent again; nothing was changed.")
    if message.author_id != by.pk:
        raise NotAllowed("You can edit and resend only what you wrote yourself; nothing was changed.")
    request = {"message": str(message.public_id)}
    _fork(conversation, message, by=by, origin=origin, reason="", key=None, request=request, has_message=True)
    session = lock_session(conversation.active_session_id)
    return append_message(conversation, session, by=by, text=text, client_id=client_id)


def _fork(
    conversation: Conversation,
    message: Message,
    *,
    by: User | None,
    origin: Origin,
    reason: str,
    key: str | None,
    request: dict[str, str],
    has_message: bool = False,
) -> AuditEntry:
    now, seq = timezone.now(), message.first_seq - 1
    fork = new_session(
        conversation,
        by=by,
        at=now,
        parent=message.session,
        parent_seq=seq,
        base=position_at(message.session, seq),
    )
    return move_pointer(
        conversation,
        Action.FORK,
        to=fork,
        by=by,
        origin=origin,
        at=now,
        reason=clean_reason(reason),
        idempotency_key=key,
        request=request,
        first_message=has_message,
    )
