"""What happened to a conversation, newest first: moves, checkpoints and everything else that was audited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from sessions_app.models import AuditEntry, Checkpoint, CheckpointKind, Conversation, Session

PAGE = 50


@dataclass(frozen=True)
class Moment:
    """One thing that happened: an audit entry or a checkpoint.

    A pointer move names the session it left and the one it went to, and brings the checkpoint taken for it.
    """

    at: datetime
    entry: AuditEntry | None = None
    checkpoint: Checkpoint | None = None
    old: Session | None = None
    new: Session | None = None

    @property
    def position(self) -> str:
        """Where the next page goes on."""
        row = self.entry or self.checkpoint
        assert row is not None
        return f"{self.at.isoformat()} {_rank(self)} {row.pk}"


@dataclass(frozen=True)
class Timeline:
    moments: list[Moment]
    older: str | None


def timeline(conversation: Conversation, *, before: str = "", limit: int = PAGE) -> Timeline:
    """A page of moments before a position (one that cannot be read means the beginning)."""
    position = _read_position(before)
    entries = _entries(conversation, position, limit + 1)
    checkpoints = _checkpoints(conversation, position, limit + 1)
    moments = [*_told(conversation, entries), *(Moment(row.taken_at, checkpoint=row) for row in checkpoints)]
    moments.sort(key=_order, reverse=True)
    page = moments[:limit]
    return Timeline(page, page[-1].position if len(moments) > limit else None)


def _read_position(before: str) -> tuple[datetime, int, int] | None:
    try:
        at, rank, pk = before.split(" ")
        return datetime.fromisoformat(at), int(rank), int(pk)
    except ValueError:
        return None


def _entries(
    conversation: Conversation, position: tuple[datetime, int, int] | None, limit: int
) -> Sequence[AuditEntry]:
    entries = AuditEntry.objects.filter(conversation_id=conversation.pk)
    if position is not None:
        entries = entries.filter(_earlier("at", 1, position))
    return list(entries.order_by("-at", "-pk")[:limit])


def _checkpoints(
    conversation: Conversation, position: tuple[datetime, int, int] | None, limit: int
) -> Sequence[Checkpoint]:
    """Those that are not part of a move, which tells of its own."""
    found = Checkpoint.objects.filter(session__conversation=conversation).exclude(kind=CheckpointKind.MOVE)
    if position is not None:
        found = found.filter(_earlier("taken_at", 0, position))
    return list(found.select_related("session", "taken_by").order_by("-taken_at", "-pk")[:limit])


def _earlier(field: str, rank: int, position: tuple[datetime, int, int]) -> Q:
    at, other_rank, pk = position
    if rank < other_rank:
        return Q(**{f"{field}__lte": at})
    at_once = Q(**{field: at}, pk__lt=pk) if rank == other_rank else Q(pk__in=())
    return Q(**{f"{field}__lt": at}) | at_once


def _told(conversation: Conversation, entries: Sequence[AuditEntry]) -> list[Moment]:
    ids = {pk for entry in entries for pk in (entry.old_session_id, entry.new_session_id) if pk is not None}
    sessions = {
        session.pk: session for session in conversation.sessions.select_related("parent").filter(pk__in=ids)
    }
    taken = Checkpoint.objects.filter(session__in=sessions, kind=CheckpointKind.MOVE)
    by_move = {(row.session_id, row.taken_at): row for row in taken.select_related("session")}
    return [
        Moment(
            at=entry.at,
            entry=entry,
            old=sessions.get(entry.old_session_id or 0),
            new=sessions.get(entry.new_session_id or 0),
            checkpoint=by_move.get((entry.old_session_id or 0, entry.at)),
        )
        for entry in entries
    ]


def _rank(moment: Moment) -> int:
    """Of what happened at the same instant the entry is the later one."""
    return 1 if moment.entry else 0


def _order(moment: Moment) -> tuple[datetime, int, int]:
    row = moment.entry or moment.checkpoint
    assert row is not None
    return moment.at, _rank(moment), row.pk
