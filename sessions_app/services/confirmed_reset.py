"""The two steps of a reset that a person takes: look at what would be archived, then confirm exactly that."""

from __future__ import annotations

from dataclasses import dataclass

from sessions_app.errors import SessionChanged
from sessions_app.models import AuditEntry, Conversation, Session, TurnState, User
from sessions_app.services.access import Act, require
from sessions_app.services.audit import Origin
from sessions_app.services.confirmation import GOOD_FOR_SECONDS, confirmation_for, read_confirmation
from sessions_app.services.moves import refuse_archived
from sessions_app.services.reset import reset_conversation


@dataclass(frozen=True)
class ResetPreview:
    """What the dialog shows. `messages` counts the reply that is being written; it is stopped and kept."""

    key: str
    title: str
    session: Session
    messages: int
    running: int
    waiting: int
    found_in: str
    confirmation: str
    good_for_seconds: int = GOOD_FOR_SECONDS


def what_would_be_archived(conversation: Conversation, *, by: User) -> ResetPreview:
    """Looks, and changes nothing; the confirmation in it is for this person and for what is active now."""
    require(by, conversation, Act.CONTROL)
    conversation = Conversation.objects.select_related("active_session").get(pk=conversation.pk)
    refuse_archived(conversation)
    session = conversation.active_session
    states = list(session.turns.live().values_list("state", flat=True))
    running = states.count(TurnState.RUNNING)
    return ResetPreview(
        key=conversation.key,
        title=conversation.title,
        session=session,
        messages=session.message_count + running,
        running=running,
        waiting=len(states) - running,
        found_in=f"the history of {conversation.key}, as session {session.number}",
        confirmation=confirmation_for(session, by=by),
    )


def reset_as_confirmed(
    conversation: Conversation,
    *,
    by: User,
    confirmation: str,
    origin: Origin,
    expected_session: Session | None = None,
    reason: str = "",
) -> AuditEntry:
    """Archives the session that was looked at, if it is the active one still. The same confirmation again
    changes nothing and gives the same entry."""
    agreed = read_confirmation(confirmation, conversation, by=by)
    if expected_session is not None and expected_session != agreed.session:
        raise SessionChanged(active_session=str(conversation.active_session.public_id))
    return reset_conversation(
        conversation,
        by=by,
        expected_session=agreed.session,
        origin=origin,
        reason=reason,
        idempotency_key=agreed.key,
    )
