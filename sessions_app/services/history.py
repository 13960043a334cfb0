"""Reads a session's history through its forks, newest first, at a cost that does not grow with its length."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Exists

from sessions_app.models import Message, MessageRole, Session, Turn
from sessions_app.models.message import MessageQuerySet
from sessions_app.services.folding import Content, fold
from sessions_app.services.log import message_events

PAGE = 50

# In one statement: whoever edits one message a hundred times makes a hundred forks.
_ANCESTORS = """
WITH RECURSIVE ancestor (id, distance) AS (
    SELECT s.parent_id, 1 FROM holdfast_session s WHERE s.id = %s
    UNION ALL
    SELECT s.parent_id, a.distance + 1 FROM holdfast_session s JOIN ancestor a ON a.id = s.id
    WHERE s.parent_id IS NOT NULL)
SELECT s.* FROM holdfast_session s JOIN ancestor a ON a.id = s.id ORDER BY a.distance"""


@dataclass(frozen=True)
class Segment:
    """A stretch of one session's log that belongs to a history: all of it, or up to a seq. One that is empty
    adds no message to it, as where the first message of a session was edited."""

    session: Session
    up_to: int | None
    is_empty: bool = False


@dataclass(frozen=True)
class Snapshot:
    """A first load: everything here is true at `as_of`, and the log after it is exactly the rest."""

    session: Session
    as_of: int
    messages: list[Message]
    contents: dict[int, Content]
    live_turns: list[Turn]
    has_older: bool


def lineage(session: Session) -> Iterator[Segment]:
    """The session itself, then its ancestors, each up to where the next one forks off."""
    yield Segment(session, None)
    if session.parent_id is None:
        return
    fork = session
    for ancestor in Session.objects.raw(_ANCESTORS, [session.pk]):
        yield Segment(ancestor, fork.parent_seq, is_empty=fork.base_count == ancestor.base_count)
        fork = ancestor


def history(
    session: Session, *, before: Message | None = None, limit: int = PAGE, as_of: int | None = None
) -> list[Message]:
    """Up to `limit` messages before one (or the newest), oldest first. Superseded ones are among them."""
    segments = lineage(session)
    if before is not None:
        holder = before.session_id
        segments = itertools.dropwhile(lambda segment: segment.session.pk != holder, segments)
    found: list[Message] = []
    for segment in segments:
        if not segment.is_empty:
            found += _newest_in(segment, before=before, as_of=as_of, limit=limit - len(found))
        if len(found) >= limit:
            break
        before = None  # every further segment is older as a whole
    return found[::-1]


def later(session: Session, *, after: Message, limit: int = PAGE) -> list[Message]:
    """Up to `limit` messages that follow one, oldest first."""
    segments = list(itertools.takewhile(lambda found: found.session.pk != after.session_id, lineage(session)))
    holder = next(found for found in lineage(session) if found.session.pk == after.session_id)
    found: list[Message] = []
    for segment in [holder, *(segment for segment in reversed(segments) if not segment.is_empty)]:
        messages = _messages_of(segment)
        if segment is holder:
            messages = messages.filter(first_seq__gt=after.first_seq)
        found += messages.order_by("first_seq")[: limit - len(found)]
        if len(found) >= limit:
            break
    return found


def oldest_first(session: Session) -> Iterator[Message]:
    """All that was sealed when `session` was read, from the beginning on, and no more than a page at a time."""
    for segment in reversed(list(lineage(session))):
        end = session.last_seq if segment.up_to is None else segment.up_to
        messages = _messages_of(segment).filter(sealed_seq__lte=end)
        after = 0
        while found := list(messages.filter(first_seq__gt=after).order_by("first_seq")[:PAGE]):
            yield from found
            after = found[-1].first_seq


def is_part_of(session: Session, message: Message) -> bool:
    """Whether somebody who reads this session comes upon this message."""
    return _belongs(message, {segment.session.pk: segment.up_to for segment in lineage(session)})


def newest_message(session: Session) -> Message | None:
    newest = history(session, limit=1)
    return newest[0] if newest else None


def snapshot(session: Session, *, limit: int = PAGE) -> Snapshot:
    """Reads the end of the log first, then only what was true at that point. No transaction is needed,
    because nothing before that end ever changes."""
    session, live_turns = _session_and_live_turns(session.pk)
    as_of = session.last_seq
    messages = history(session, limit=limit + 1, as_of=as_of)
    shown = messages[-limit:]
    return Snapshot(
        session=session,
        as_of=as_of,
        messages=shown,
        contents={message.pk: content_at(message, session, as_of) for message in shown},
        live_turns=live_turns,
        has_older=len(messages) > limit,
    )


def _session_and_live_turns(session_id: int) -> tuple[Session, list[Turn]]:
    """Both as they are at one instant. Turns change, and only what one statement reads belongs together: the
    turns come with their session, or the session comes with the answer that there are none."""
    live = Turn.objects.live().filter(session=session_id)
    while True:
        turns = list(live.order_by("pk").select_related("session__conversation", "question", "agent"))
        if turns:
            return turns[0].session, turns
        sessions = Session.objects.select_related("conversation").annotate(has_live_turns=Exists(live))
        session = sessions.get(pk=session_id)
        if not session.has_live_turns:  # type: ignore[attr-defined]
            return session, []


def content_at(message: Message, session: Session, as_of: int) -> Content:
    """What the message says at `as_of`: sealed by then, or folded from the events it had by then."""
    if message.session_id != session.pk or (message.sealed_seq is not None and message.sealed_seq <= as_of):
        return message.folded
    return fold(message_events(message, up_to=as_of))


def superseded_in(session: Session, messages: list[Message]) -> dict[int, Message]:
    """Which of these messages another one of the same history supersedes: old id → its successor."""
    successors = Message.objects.filter(supersedes__in=messages, role=MessageRole.AGENT)
    limits = {segment.session.pk: segment.up_to for segment in lineage(session)}
    return {
        message.supersedes_id: message
        for message in successors
        if message.supersedes_id is not None and _belongs(message, limits)
    }


def _newest_in(segment: Segment, *, before: Message | None, as_of: int | None, limit: int) -> list[Message]:
    messages = _messages_of(segment)
    if segment.up_to is None and as_of is not None:
        messages = messages.filter(first_seq__lte=as_of)
    if before is not None:
        messages = messages.filter(first_seq__lt=before.first_seq)
    return list(messages.order_by("-first_seq")[:limit])


def _messages_of(segment: Segment) -> MessageQuerySet:
    messages = Message.objects.filter(session=segment.session).select_related("author", "agent")
    if segment.up_to is None:
        return messages
    return messages.filter(first_seq__lte=segment.up_to, sealed_seq__lte=segment.up_to)


def _belongs(message: Message, limits: dict[int, int | None]) -> bool:
    if message.session_id not in limits:
        return False
    up_to = limits[message.session_id]
    return up_to is None or (message.sealed_seq is not None and message.sealed_seq <= up_to)
