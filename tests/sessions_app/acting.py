"""What an agent's process does, in the fewest calls: claim, append, finish."""

from __future__ import annotations

from typing import Any

from sessions_app.canonical import canonical_json
from sessions_app.models import Message, Turn, TurnState
from sessions_app.services.ending import finish_turn
from sessions_app.services.journal import Append, Batch, append_batch
from sessions_app.services.turn_lease import Lease, claim_turn

OWNER = "test-owner"


def answer_turn(turn: Turn, *texts: str) -> Message:
    """A whole, completed answer."""
    lease = claim_turn(turn, owner=OWNER)
    append_texts(lease, *texts)
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    return Message.objects.get(pk=lease.message_id)


def append_texts(lease: Lease, *texts: str) -> Batch:
    return append_events(lease, *(("text", {"text": text}) for text in texts))


def append_events(lease: Lease, *events: tuple[str, dict[str, Any]]) -> Batch:
    return append_batch([Append(lease, [(kind, canonical_json(payload)) for kind, payload in events])])
