"""Settles turns whose owner died, or hands them on; never moves a pointer and never undoes what people did."""

from __future__ import annotations

import json
from collections.abc import Collection

from django.db.models import Q
from django.utils import timezone

from sessions_app.errors import TurnUnavailable
from sessions_app.models import Message, Turn, TurnState
from sessions_app.services.ending import end_turn, lock_turn
from sessions_app.services.folding import Folding
from sessions_app.services.log import message_events
from sessions_app.services.transactions import one_transaction
from sessions_app.services.turn_lease import Lease, take_over
from sessions_app.services.turn_states import Remains, reason_to_end


def orphaned_turns(*, dead_owners: Collection[str] = (), not_owned_by: str = "") -> list[Turn]:
    """Running turns whose owner is known to be dead or has let its lease run out; never one's own."""
    is_orphaned = Q(owner__in=dead_owners) | Q(lease_until__lt=timezone.now())
    turns = Turn.objects.filter(is_orphaned, state=TurnState.RUNNING).exclude(owner=not_owned_by or None)
    return list(turns.select_related("agent", "session__conversation__workspace").order_by("pk"))


@one_transaction
def settle_orphan(
    turn: Turn, *, new_owner: str, can_continue: bool, idempotent_tools: Collection[str] = ()
) -> Lease | None:
    """Either the new owner holds the turn and goes on after its exact prefix, or the turn has ended as
    interrupted with its message sealed. Refused when somebody else was first, or its owner has renewed the
    lease since `turn` was read: it lives."""
    seen = (turn.epoch, turn.lease_until)
    session, turn = lock_turn(turn)
    if not turn.is_running or (turn.epoch, turn.lease_until) != seen:
        raise TurnUnavailable
    assert turn.reply is not None
    unknown_tool = _tool_of_unknown_outcome(turn.reply, idempotent_tools)
    reason = reason_to_end(Remains(unknown_tool, can_continue, turn.resumes))
    if not reason:
        return take_over(session, turn, owner=new_owner, at=timezone.now())
    end_turn(session, turn, TurnState.INTERRUPTED, reason=reason, at=timezone.now())
    return None


def _tool_of_unknown_outcome(reply: Message, idempotent_tools: Collection[str]) -> str:
    """The tool that may or may not have acted when its process died; empty where none ran."""
    folding = Folding()
    for kind, payload in message_events(reply):
        folding.add(kind, json.loads(payload))
    names = (str(call["name"]) for call in folding.unanswered_calls())
    return next((name for name in names if name not in idempotent_tools), "")
