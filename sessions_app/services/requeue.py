"""Asks the agent again: a new version of the last reply, or the rest of one that broke off."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from sessions_app.errors import Conflict, ReplyNotLast, TurnRunning
from sessions_app.models import (
    Conversation,
    EventKind,
    Message,
    MessageRole,
    Session,
    Turn,
    TurnState,
    User,
)
from sessions_app.services.access import Act
from sessions_app.services.conversations import lock_for_change
from sessions_app.services.history import newest_message
from sessions_app.services.log import Fact, append, lock_session
from sessions_app.services.transactions import one_transaction

BROKEN_OFF = (TurnState.INTERRUPTED, TurnState.STOPPED, TurnState.FAILED)


@one_transaction
def regenerate_reply(reply: Message, *, by: User) -> Turn:
    """Queues a turn whose message will supersede the last reply, which stays readable. Twice is once."""
    conversation, session = _lock(reply.conversation, by)
    if waiting := _already_queued(session, supersedes=reply):
        return waiting
    _require_last_reply(session, reply)
    return _queue(conversation, session, reply, by=by, supersedes=reply)


@one_transaction
def continue_reply(reply: Message, *, by: User) -> Turn:
    """Queues a turn that goes on where the last reply broke off; the two are shown joined. Twice is once."""
    conversation, session = _lock(reply.conversation, by)
    if waiting := _already_queued(session, continues=reply):
        return waiting
    _require_last_reply(session, reply)
    outcome = reply.folded["outcome"] or {}
    if outcome.get("state") not in BROKEN_OFF:
        raise Conflict("This reply is complete, so there is nothing to continue; nothing was changed.")
    return _queue(conversation, session, reply, by=by, continues=reply)


def _lock(conversation: Conversation, by: User) -> tuple[Conversation, Session]:
    conversation = lock_for_change(conversation, by, Act.WRITE)
    return conversation, lock_session(conversation.active_session_id)


def _already_queued(session: Session, **points_at: Message) -> Turn | None:
    turns = Turn.objects.filter(session=session, **points_at)
    return turns.exclude(state=TurnState.WITHDRAWN).first()


def _require_last_reply(session: Session, reply: Message) -> None:
    if session.turns.live().exists():
        raise TurnRunning
    if reply.role != MessageRole.AGENT or newest_message(session) != reply:
        raise ReplyNotLast


def _queue(
    conversation: Conversation, session: Session, reply: Message, *, by: User, **points_at: Message
) -> Turn:
    now, earlier = timezone.now(), Turn.objects.get(reply=reply)
    question = earlier.question
    turn = Turn.objects.create(
        session=session,
        agent=conversation.agent or earlier.agent,
        question=question,
        asked_by=by,
        queued_at=now,
        **points_at,
    )
    payload: dict[str, Any] = {
        "turn": str(turn.public_id),
        "question": str(question.public_id),
        "by": str(by.public_id),
        "by_name": by.name,
        **{name: str(message.public_id) for name, message in points_at.items()},
    }
    append(session, Fact(EventKind.TURN_QUEUED, payload), at=now)
    return turn
