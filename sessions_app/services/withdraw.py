"""Withdraws a message that still waits for its answer: it stays, struck through, and no model sees it."""

from __future__ import annotations

from django.utils import timezone

from sessions_app.errors import NotAllowed, TurnNotQueued
from sessions_app.models import Turn, TurnState, User
from sessions_app.services.access import Act, may, require
from sessions_app.services.ending import end_turn, lock_turn
from sessions_app.services.transactions import one_transaction


@one_transaction
def withdraw_turn(turn: Turn, *, by: User) -> Turn:
    """Ends a queued turn as withdrawn. Twice is once; one that has begun is refused."""
    session, turn = lock_turn(turn)
    conversation = session.conversation
    require(by, conversation, Act.WRITE)
    if turn.asked_by_id != by.pk and not may(by, conversation, Act.MODERATE):
        raise NotAllowed("You can withdraw only what you asked yourself; nothing was changed.")
    if turn.state == TurnState.WITHDRAWN:
        return turn
    if turn.state != TurnState.QUEUED:
        raise TurnNotQueued
    return end_turn(session, turn, TurnState.WITHDRAWN, reason="", by=by, at=timezone.now())
