"""Draws how a conversation went from session to session: a lane each, a piece of it beside each moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sessions_app.models import Session
from sessions_app.services.timeline import Moment

LANE, MARGIN, MOST_LANES = 20, 12, 8


@dataclass(frozen=True)
class Piece:
    """What stands beside one moment: the active lane above and below it, its dot, and how the pointer moved."""

    width: int
    above: int | None
    below: int | None
    dot: int
    number: int | None
    moved_from: int | None = None
    forked_from: int | None = None
    is_checkpoint: bool = False


def drawn(moments: Sequence[Moment], active: Session) -> list[Piece]:
    """Moments come newest first. Above a move the session it went to was active, below it the one it left."""
    lane: Session | None = next((moment.new for moment in moments if moment.new), active)
    width = 2 * MARGIN + LANE * min(MOST_LANES - 1, _highest(moments, active) - 1)
    pieces = []
    for moment in moments:
        above = lane
        if moment.new is not None:
            lane = moment.old
        pieces.append(_piece(moment, above, lane, width))
    return pieces


def _piece(moment: Moment, above: Session | None, below: Session | None, width: int) -> Piece:
    marked = moment.checkpoint.session if moment.checkpoint and not moment.entry else None
    shown = moment.new or marked or above
    assert shown is not None
    return Piece(
        width=width,
        above=_x(above),
        below=_x(below),
        dot=_x(shown) or 0,
        number=moment.new.number if moment.new else None,
        moved_from=_x(moment.old) if moment.new else None,
        forked_from=_forked_from(moment),
        is_checkpoint=marked is not None,
    )


def _forked_from(moment: Moment) -> int | None:
    """Where a new session begins in another one than the pointer came from."""
    if moment.new is None or moment.new.parent is None or moment.new.parent == moment.old:
        return None
    return _x(moment.new.parent)


def _x(session: Session | None) -> int | None:
    """Beyond the last lane they begin anew at the first, so that the picture stays small."""
    return None if session is None else MARGIN + LANE * ((session.number - 1) % MOST_LANES)


def _highest(moments: Sequence[Moment], active: Session) -> int:
    seen = [session.number for moment in moments for session in (moment.new, moment.old) if session]
    return max([active.number, *seen])
