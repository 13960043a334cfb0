"""Ends turns for good: completed, stopped, failed or interrupted, each with its reason and its sealed message."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import StaleEpoch
from sessions_app.models import EventKind, Session, Turn, TurnState, User
from sessions_app.services.access import Act, require
from sessions_app.services.log import Fact, append, lock_session, seal_from_events
from sessions_app.services.transactions import one_transaction
from sessions_app.services.turn_states import require_step

OWNERS_ENDS = (TurnState.COMPLETED, TurnState.FAILED, TurnState.INTERRUPTED)


@one_transaction
def finish_turn(
    turn: Turn, state: TurnState, *, epoch: int, reason: str = "", usage: dict[str, Any] | None = None
) -> Turn:
    """The owner's end of its turn: the message is sealed from its events. A stale epoch is refused."""
    assert state in OWNERS_ENDS
    session, turn = lock_turn(turn)
    if not turn.is_running or turn.epoch != epoch:
        raise StaleEpoch
    return end_turn(session, turn, state, reason=reason, usage=usage, at=timezone.now())


@one_transaction
def stop_turn(turn: Turn, *, by: User | None) -> Turn:
    """Afterwards nothing more is appended and the text so far is kept; a turn that has ended stays as it is.
    One that waits does not begin: whoever pressed the button a moment too early meant it too."""
    session, turn = lock_turn(turn)
    require(by, session.conversation, Act.WRITE)
    if not turn.is_live:
        return turn
    return end_turn(session, turn, TurnState.STOPPED, reason="", by=by, at=timezone.now())


def lock_turn(turn: Turn) -> tuple[Session, Turn]:
    """First the session, then the turn, as everybody does."""
    session = lock_session(turn.session_id)
    return session, Turn.objects.select_for_update(no_key=True).get(pk=turn.pk)


def end_turn(
    session: Session,
    turn: Turn,
    state: TurnState,
    *,
    reason: str,
    at: datetime,
    by: User | None = None,
    usage: dict[str, Any] | None = None,
) -> Turn:
    """Fences the owner off by raising the epoch, then appends the end and seals; inside the caller's lock."""
    require_step(turn.state, state)
    turn.state, turn.reason, turn.epoch = state, clean_text(reason), turn.epoch + 1
    turn.owner, turn.lease_until, turn.ended_at, turn.ended_by = "", None, at, by
    turn.save(update_fields=["state", "reason", "epoch", "owner", "lease_until", "ended_at", "ended_by"])
    payload: dict[str, Any] = {
        "turn": str(turn.public_id),
        "state": str(state),
        "reason": turn.reason,
        "by": str(by.public_id) if by else None,
        "by_name": by.name if by else "",
    }
    if usage:
        payload["usage"] = usage
    if turn.reply is None:
        payload["question"] = str(turn.question.public_id)
    append(session, Fact(EventKind.TURN_ENDED, payload, turn.reply), at=at)
    if turn.reply is not None:
        seal_from_events(session, turn.reply, at=at)
    return turn
