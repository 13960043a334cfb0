"""Finds the facts of a session that belong to no message: changed settings, compactions, moves of the pointer."""

from __future__ import annotations

from sessions_app.models import EventKind, Session, SessionEvent

SHOWN_KINDS = (
    EventKind.SETTINGS_CHANGED,
    EventKind.COMPACTED,
    EventKind.ARCHIVED,
    EventKind.MADE_ACTIVE,
)
MOST = 200


def facts_between(session: Session, *, after: int, up_to: int) -> list[SessionEvent]:
    """The session's own facts in this stretch of its log, oldest first; of very many the newest."""
    events = SessionEvent.objects.filter(session=session, message=None, kind__in=SHOWN_KINDS)
    return list(events.filter(seq__gt=after, seq__lte=up_to).order_by("-seq")[:MOST])[::-1]
