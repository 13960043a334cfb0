"""Cuts a window out of a history: the newest page, the one before or after a message, or the one around it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, QueryDict

from sessions_app.models import Message, Session
from sessions_app.services.history import PAGE, history, is_part_of, later

AROUND = PAGE // 2


@dataclass(frozen=True)
class Window:
    """Messages without a hole between them. The facts `facts_after` to `facts_up_to` lie among them."""

    session: Session
    as_of: int
    messages: list[Message]
    has_older: bool
    has_newer: bool
    facts_after: int
    facts_up_to: int


def window(session: Session, query: QueryDict) -> Window:
    """What the query names; a message that is not part of this history is not found."""
    session = Session.objects.select_related("conversation__workspace").get(pk=session.pk)
    for name, cut in (("before", _before), ("after", _after), ("around", _around)):
        if name in query and (message := _message(session, str(query[name]))):
            return cut(session, message)
    found = history(session, limit=PAGE + 1, as_of=session.last_seq)
    return _window(session, found[-PAGE:], has_older=len(found) > PAGE)


def _message(session: Session, text: str) -> Message | None:
    try:
        public_id = UUID(text)
    except ValueError:
        return None
    messages = Message.objects.filter(conversation=session.conversation_id, public_id=public_id)
    message = messages.select_related("author", "agent").first()
    if message is None or not is_part_of(session, message):
        raise Http404
    return message


def _before(session: Session, message: Message) -> Window:
    found = history(session, before=message, limit=PAGE + 1, as_of=session.last_seq)
    return _window(
        session, found[-PAGE:], has_older=len(found) > PAGE, has_newer=True, up_to=_own(session, message)
    )


def _after(session: Session, message: Message) -> Window:
    found = later(session, after=message, limit=PAGE + 1)
    return _window(
        session, found[:PAGE], has_older=True, has_newer=len(found) > PAGE, after=_own(session, message)
    )


def _around(session: Session, message: Message) -> Window:
    older = history(session, before=message, limit=AROUND + 1, as_of=session.last_seq)
    newer = later(session, after=message, limit=AROUND + 1)
    return _window(
        session,
        [*older[-AROUND:], message, *newer[:AROUND]],
        has_older=len(older) > AROUND,
        has_newer=len(newer) > AROUND,
    )


def _window(
    session: Session,
    messages: list[Message],
    *,
    has_older: bool,
    has_newer: bool = False,
    after: int | None = None,
    up_to: int | None = None,
) -> Window:
    """Each fact is in one window only: with the message before it, or at the very beginning."""
    if after is None:
        after = _own(session, messages[0]) if messages and has_older else 0
    if up_to is None:
        up_to = _own(session, messages[-1]) if messages and has_newer else session.last_seq
    return Window(session, session.last_seq, messages, has_older, has_newer, after, up_to)


def _own(session: Session, message: Message) -> int:
    """An inherited message comes before everything in the session's own log."""
    return message.first_seq if message.session_id == session.pk else 0
