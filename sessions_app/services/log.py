"""The log of a session: the one place that appends to it under lock, seals messages and reads it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sessions_app.canonical import canonical_json, chained_digest
from sessions_app.models import Conversation, EventKind, Message, Session, SessionEvent
from sessions_app.services.folding import Content, fold

PAGE = 500


@dataclass(frozen=True)
class Fact:
    """An event before it has its number."""

    kind: EventKind
    payload: dict[str, Any]
    message: Message | None = None


def lock_conversation(conversation: Conversation) -> Conversation:
    """The row as it is now, and nobody else's until this transaction ends. Locked before any session.

    No lock here is on the key: PostgreSQL looks at the key of a conversation when a message that names it is
    committed, which would otherwise wait behind this lock while this waits for that message's session.
    """
    return Conversation.objects.select_for_update(no_key=True).get(pk=conversation.pk)


def lock_session(session_id: int) -> Session:
    return Session.objects.select_for_update(no_key=True).get(pk=session_id)


def lock_sessions(*ids: int) -> dict[int, Session]:
    """Locks in the order of ids, as everybody does: two who lock the same rows never wait in a ring."""
    rows = Session.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {session.pk: session for session in rows}


def append(session: Session, *facts: Fact, at: datetime) -> list[SessionEvent]:
    """Adds facts to a locked session's log; they follow its last one without a hole."""
    events = [
        SessionEvent(
            session=session,
            seq=seq,
            kind=fact.kind,
            message=fact.message,
            payload=canonical_json(fact.payload),
            at=at,
        )
        for seq, fact in enumerate(facts, session.last_seq + 1)
    ]
    SessionEvent.objects.bulk_create(events)
    session.last_seq = events[-1].seq
    Session.objects.filter(pk=session.pk).update(last_seq=session.last_seq)
    return events


def seal(session: Session, message: Message, content: Content, *, at_seq: int, digest: str) -> None:
    """Closes a message for ever. `at_seq` is the event that says so, `digest` its link of the chain."""
    session.head_digest, session.sealed_count = digest, session.sealed_count + 1
    Session.objects.filter(pk=session.pk).update(head_digest=digest, sealed_count=session.sealed_count)
    message.sealed_seq, message.seal_number = at_seq, session.sealed_count
    message.content, message.digest = canonical_json(content), digest
    Message.objects.filter(pk=message.pk).update(
        sealed_seq=at_seq, seal_number=message.seal_number, content=message.content, digest=digest
    )


def seal_from_events(session: Session, message: Message, *, at: datetime) -> Content:
    """Folds a message from its own events and seals it with the next one."""
    content = fold(message_events(message))
    digest = digest_after(session.head_digest, message, content)
    [event] = append(session, Fact(EventKind.SEALED, {"digest": digest}, message), at=at)
    seal(session, message, content, at_seq=event.seq, digest=digest)
    return content


def digest_after(previous: str, message: Message, content: Content) -> str:
    return chained_digest(previous, canonical_json(canonical_message(message, content)))


def canonical_message(message: Message, content: Content) -> dict[str, Any]:
    """All that a digest vouches for, in public ids only: an export on another instance gives the same."""
    return {
        "id": str(message.public_id),
        "role": message.role,
        "author": _public_id(message.author),
        "agent": _public_id(message.agent),
        "client_id": message.client_id,
        "supersedes": _public_id(message.supersedes),
        "continues": _public_id(message.continues),
        "posted_at": message.posted_at.isoformat(),
        "content": content,
    }


def message_events(message: Message, *, up_to: int | None = None) -> Iterable[tuple[str, str]]:
    """The (kind, payload) pairs of one message, found by their range of numbers."""
    events = SessionEvent.objects.filter(session_id=message.session_id, seq__gte=message.first_seq)
    end = message.sealed_seq if up_to is None else up_to
    if end is not None:
        events = events.filter(seq__lte=end)
    pairs = events.filter(message_id=message.pk).order_by("seq").values_list("kind", "payload")
    return pairs.iterator(chunk_size=2000)


def read_log(session: Session, *, after: int, limit: int = PAGE) -> Sequence[SessionEvent]:
    """The events that follow `after`, in order: every door reads the log through this. Of its message each has
    the id alone: a sealed reply's content, once for each of its thousand events, would be a thousand replies."""
    events = SessionEvent.objects.filter(session=session, seq__gt=after).order_by("seq")
    named = events.select_related("message").only(
        "seq", "kind", "payload", "at", "session", "message__public_id"
    )
    return list(named[:limit])


def _public_id(row: Any) -> str | None:
    return None if row is None else str(row.public_id)
