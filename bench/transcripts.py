"""Writes long transcripts fast: the rows that the services would have written, in bulk, past no guard."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from sessions_app.canonical import canonical_json
from sessions_app.models import (
    Agent,
    Conversation,
    EventKind,
    Membership,
    Message,
    MessageRole,
    Role,
    Session,
    Turn,
    TurnState,
    User,
    Workspace,
)
from sessions_app.services.conversations import start_conversation
from sessions_app.services.folding import Content, fold
from sessions_app.services.log import digest_after

EXCHANGES_PER_TRANSACTION = 500
WORDS = " tide rope shore anchor kelp harbour lantern drift"

COLUMNS = "session_id, seq, kind, message_id, payload, at"
TOLD: dict[str, Any] = {
    "system": "",
    "provider": "demo",
    "model": "",
    "tools": None,
    "tool_listings": [],
    "context_limit": 8192,
}
Says = Callable[[], str]
EventRow = tuple[int, int, str, int, str, Any]


@dataclass(frozen=True)
class Cast:
    team: Workspace
    alice: User
    echo: Agent


@dataclass(frozen=True)
class Exchange:
    """A question and its answer, with the (kind, payload) pairs of their events."""

    question: Message
    turn: Turn
    reply: Message
    question_events: list[tuple[str, str]]
    reply_events: list[tuple[str, str]]


def usual() -> str:
    """What an answer's pieces say unless something else is asked for."""
    return WORDS


def cast() -> Cast:
    """alice owns a team in which Echo answers."""
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    alice = User.objects.create_user("alice")
    Membership.objects.create(workspace=team, user=alice, role=Role.OWNER)
    echo = Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
    return Cast(team, alice, echo)


def conversation_with(people: Cast, *, exchanges: int, texts: int, says: Says = usual) -> Conversation:
    """A new conversation in which alice has asked that often; each answer came in so many pieces."""
    conversation = start_conversation(people.team, by=people.alice, agent=people.echo)
    extend(conversation, people, exchanges=exchanges, texts=texts, says=says)
    return conversation


def extend(
    conversation: Conversation, people: Cast, *, exchanges: int, texts: int, says: Says = usual
) -> None:
    """Adds exchanges to the active session's end, many in one transaction."""
    session = Session.objects.get(pk=conversation.active_session_id)
    while exchanges > 0:
        count = min(exchanges, EXCHANGES_PER_TRANSACTION)
        with transaction.atomic():
            _write(session, [_exchange(session, people, texts, says) for _ in range(count)])
        exchanges -= count


def _exchange(session: Session, people: Cast, texts: int, says: Says) -> Exchange:
    """Not yet in the database, but sealed: it moves the session's end in memory."""
    now = timezone.now()
    question = _message(session, MessageRole.PERSON, at=now, author=people.alice, client_id=uuid.uuid4().hex)
    turn = Turn(
        session=session,
        agent=people.echo,
        asked_by=people.alice,
        state=TurnState.COMPLETED,
        epoch=2,
        queued_at=now,
        started_at=now,
        ended_at=now,
    )
    question_events = _ask(session, question, turn, people)
    reply = _message(session, MessageRole.AGENT, at=now, agent=people.echo)
    pieces = [says() for _ in range(texts)]
    return Exchange(question, turn, reply, question_events, _answer(session, question, turn, reply, pieces))


def _message(session: Session, role: MessageRole, *, at: datetime, **of: Any) -> Message:
    return Message(
        conversation_id=session.conversation_id,
        session=session,
        role=role,
        first_seq=session.last_seq + 1,
        posted_at=at,
        **of,
    )


def _ask(session: Session, question: Message, turn: Turn, people: Cast) -> list[tuple[str, str]]:
    text = f"What does number {session.sealed_count + 1} mean?"
    content: Content = {"parts": [{"kind": "text", "text": text}], "marks": [], "outcome": None}
    payload = {
        "message": str(question.public_id),
        "author": str(people.alice.public_id),
        "author_name": people.alice.name,
        "client_id": question.client_id,
        "text": text,
        "turn": str(turn.public_id),
        "digest": _seal(session, question, content, events=1),
    }
    return [(EventKind.MESSAGE_POSTED.value, canonical_json(payload))]


def _answer(
    session: Session, question: Message, turn: Turn, reply: Message, pieces: Sequence[str]
) -> list[tuple[str, str]]:
    started = {
        "turn": str(turn.public_id),
        "message": str(reply.public_id),
        "agent": str(turn.agent.public_id),
        "agent_name": turn.agent.name,
        "question": str(question.public_id),
        "asked_by_name": turn.asked_by.name if turn.asked_by else "",
        "supersedes": None,
        "continues": None,
        "told": TOLD,
    }
    ended = {
        "turn": str(turn.public_id),
        "state": TurnState.COMPLETED.value,
        "reason": "",
        "by": None,
        "by_name": "",
    }
    events = [
        (EventKind.TURN_STARTED.value, canonical_json(started)),
        *((EventKind.TEXT.value, canonical_json({"text": piece})) for piece in pieces),
        (EventKind.TURN_ENDED.value, canonical_json(ended)),
    ]
    digest = _seal(session, reply, fold(events), events=len(events) + 1)
    return [*events, (EventKind.SEALED.value, canonical_json({"digest": digest}))]


def _seal(session: Session, message: Message, content: Content, *, events: int) -> str:
    """The message ends with the last of its events, and the session with it."""
    digest = digest_after(session.head_digest, message, content)
    session.head_digest, session.sealed_count = digest, session.sealed_count + 1
    session.last_seq += events
    message.sealed_seq, message.seal_number = session.last_seq, session.sealed_count
    message.content, message.digest = canonical_json(content), digest
    return digest


def _write(session: Session, exchanges: Sequence[Exchange]) -> None:
    messages = [message for exchange in exchanges for message in (exchange.question, exchange.reply)]
    Message.objects.bulk_create(messages)
    for exchange in exchanges:
        exchange.turn.question, exchange.turn.reply = exchange.question, exchange.reply
    Turn.objects.bulk_create([exchange.turn for exchange in exchanges])
    insert_events([row for exchange in exchanges for row in _event_rows(exchange)])
    Session.objects.filter(pk=session.pk).update(
        last_seq=session.last_seq, head_digest=session.head_digest, sealed_count=session.sealed_count
    )


def _event_rows(exchange: Exchange) -> Iterator[EventRow]:
    at = connection.ops.adapt_datetimefield_value(exchange.question.posted_at)
    for message, events in (
        (exchange.question, exchange.question_events),
        (exchange.reply, exchange.reply_events),
    ):
        for seq, (kind, payload) in enumerate(events, message.first_seq):
            yield message.session_id, seq, kind, message.pk, payload, at


def insert_events(rows: Sequence[EventRow]) -> None:
    """The fastest way each engine has; its guards look at every row all the same."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(
                f"INSERT INTO holdfast_event ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)", rows
            )
            return
        with cursor.copy(f"COPY holdfast_event ({COLUMNS}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
