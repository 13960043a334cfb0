"""Posts what people write: exactly once, into the session it was written for, and never as a command."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import (
    ClientIdReused,
    CommandInMessage,
    Invalid,
    MessageEmpty,
    MessageTooLong,
)
from sessions_app.models import (
    Answers,
    Conversation,
    EventKind,
    Message,
    MessageRole,
    Session,
    Turn,
    User,
)
from sessions_app.services.access import Act
from sessions_app.services.conversations import lock_for
from sessions_app.services.folding import Content, text_of
from sessions_app.services.log import Fact, append, digest_after, lock_session, seal
from sessions_app.services.moves import require_expected
from sessions_app.services.transactions import one_transaction

LONGEST_BYTES = 64 * 1024
LONGEST_CLIENT_ID = 100
# Typed by habit, these once rotated a chat in silence. They are refused here, behind every door.
COMMAND = re.compile(r"^\s*[/／](new|reset)(\s|$)", re.IGNORECASE)  # noqa: RUF001 - full-width slash


@dataclass(frozen=True)
class Posted:
    """What came of a send; `is_new` is false when it had been received before."""

    message: Message
    turn: Turn | None
    is_new: bool


@one_transaction
def post_message(
    conversation: Conversation,
    *,
    by: User,
    text: str,
    client_id: str,
    expected_session: Session | None = None,
) -> Posted:
    """Afterwards the message is sealed in the log and its turn is queued, once for each client id."""
    text = checked_text(text)
    conversation = lock_for(conversation, by, Act.WRITE)
    if earlier := received_before(conversation, by, client_id, text):
        return earlier
    require_expected(conversation, expected_session)
    session = lock_session(conversation.active_session_id)
    return append_message(conversation, session, by=by, text=text, client_id=client_id)


def checked_text(text: str) -> str:
    """The text as it will be stored; refuses what is empty, too long or looks like a command."""
    text = clean_text(text)
    if not text.strip():
        raise MessageEmpty
    if len(text.encode()) > LONGEST_BYTES:
        raise MessageTooLong
    if COMMAND.match(text):
        raise CommandInMessage
    return text


def append_message(
    conversation: Conversation, session: Session, *, by: User, text: str, client_id: str
) -> Posted:
    """Posts into a locked session, inside the caller's transaction."""
    now = timezone.now()
    message = _new_message(conversation, session, by=by, client_id=client_id, at=now)
    turn = _queue_answer(conversation, session, message, text, at=now)
    content: Content = {"parts": [{"kind": "text", "text": text}], "marks": [], "outcome": None}
    digest = digest_after(session.head_digest, message, content)
    payload = {
        "message": str(message.public_id),
        "author": str(by.public_id),
        "author_name": by.name,
        "client_id": client_id,
        "text": text,
        "turn": str(turn.public_id) if turn else None,
        "digest": digest,
    }
    [event] = append(session, Fact(EventKind.MESSAGE_POSTED, payload, message), at=now)
    seal(session, message, content, at_seq=event.seq, digest=digest)
    Conversation.objects.filter(pk=conversation.pk).update(touched_at=now)
    return Posted(message, turn, is_new=True)


def received_before(conversation: Conversation, by: User, client_id: str, text: str) -> Posted | None:
    """Asked before anything can refuse: a retry of what was saved is answered as the first time."""
    if not 0 < len(client_id) <= LONGEST_CLIENT_ID or clean_text(client_id) != client_id:
        raise Invalid(f"A client id has 1 to {LONGEST_CLIENT_ID} characters; nothing was sent.")
    message = Message.objects.filter(conversation=conversation, author=by, client_id=client_id).first()
    if message is None:
        return None
    if text_of(message.folded) != text:
        raise ClientIdReused
    turn = message.turns.filter(supersedes=None, continues=None).order_by("pk").first()
    return Posted(message, turn, is_new=False)


def _new_message(
    conversation: Conversation, session: Session, *, by: User, client_id: str, at: datetime
) -> Message:
    return Message.objects.create(
        conversation=conversation,
        session=session,
        role=MessageRole.PERSON,
        author=by,
        client_id=client_id,
        first_seq=session.last_seq + 1,
        posted_at=at,
    )


def _queue_answer(
    conversation: Conversation, session: Session, question: Message, text: str, *, at: datetime
) -> Turn | None:
    agent = conversation.agent
    if agent is None or not agent.is_active:
        return None
    if conversation.answers == Answers.MENTIONED and not is_mentioned(agent.handle, text):
        return None
    return Turn.objects.create(
        session=session, agent=agent, question=question, asked_by=question.author, queued_at=at
    )


def is_mentioned(handle: str, text: str) -> bool:
    return re.search(rf"(?<![\w@])@{re.escape(handle)}(?![\w-])", text, re.IGNORECASE) is not None
