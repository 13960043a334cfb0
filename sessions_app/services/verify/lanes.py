"""Rows of several tables, side by side in the order of the sessions they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Generic, Protocol, TypeVar

from django.db.models import F, OuterRef, QuerySet, Subquery

from sessions_app.models import AuditEntry, Checkpoint, Message, Session, Turn
from sessions_app.services.verify.view import CHUNK, Row, View

T = TypeVar("T")
Read = TypeVar("Read", covariant=True)


class Rows(Protocol[Read]):
    """Rows that are asked for a session at a time, wherever they are read from."""

    def of(self, session: Session, /) -> Iterator[Read]: ...


class Lane(Generic[T]):
    """One table's rows, handed out a session at a time. Rows of sessions that nobody asks for are passed by."""

    def __init__(self, rows: Iterable[T], session_id: Callable[[T], int]) -> None:
        self._groups = groupby(rows, session_id)
        self._next = next(self._groups, None)

    def of(self, session: Session, /) -> Iterator[T]:
        """This session's rows; sessions are asked for in the order of their ids."""
        while self._next is not None and self._next[0] < session.pk:
            self._next = next(self._groups, None)
        if self._next is not None and self._next[0] == session.pk:
            return self._next[1]
        return iter(())


@dataclass(frozen=True)
class Lanes:
    """All that is known about sessions, ready to be walked once from the first to the last."""

    events: Rows[Row]
    messages: Rows[Message]
    turns: Rows[Turn]
    checkpoints: Rows[Checkpoint]
    forks: Rows[Session]
    moves_to: Rows[Row]
    moves_from: Rows[Row]


def open_lanes(view: View) -> Lanes:
    own_session = attrgetter("session_id")
    return Lanes(
        events=Lane(view.events(), itemgetter(0)),
        messages=Lane(_stream(view.messages(), "session_id", "first_seq"), own_session),
        turns=Lane(_stream(view.turns(), "session_id", "id"), own_session),
        checkpoints=Lane(_stream(view.checkpoints(), "session_id", "seq"), own_session),
        forks=Lane(
            _stream(view.sessions().exclude(parent=None), "parent_id", "parent_seq"), attrgetter("parent_id")
        ),
        moves_to=Lane(_moves(view.audit_entries(), "new_session_id", "old_session_id"), itemgetter(0)),
        moves_from=Lane(_moves(view.audit_entries(), "old_session_id", "new_session_id"), itemgetter(0)),
    )


def _stream(rows: QuerySet[T], *order: str) -> Iterator[T]:  # type: ignore[type-var]
    return rows.order_by(*order).iterator(CHUNK)


def _moves(entries: QuerySet[AuditEntry], session_id: str, other_session_id: str) -> Iterator[Row]:
    """(session id, number, action, public id of the other session) of every pointer move of a session."""
    other = Session.objects.using(entries.db).filter(pk=OuterRef(other_session_id)).values("public_id")
    moves = entries.exclude(**{session_id: None})
    rows = moves.values_list(session_id, "number", "action", Subquery(other))
    return rows.order_by(F(session_id), "number").iterator(CHUNK)
