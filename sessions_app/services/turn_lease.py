"""Who owns a turn: claimed by compare-and-set, held by a lease, fenced by an epoch that only goes up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from sessions_app.errors import TurnUnavailable
from sessions_app.models import (
    Agent,
    Conversation,
    EventKind,
    Message,
    MessageRole,
    Session,
    Turn,
    TurnState,
)
from sessions_app.services.ending import lock_turn
from sessions_app.services.log import Fact, append
from sessions_app.services.tool_listings import listings_of
from sessions_app.services.transactions import one_transaction
from sessions_app.services.turn_states import require_step

LEASE_SECONDS = 15


@dataclass(frozen=True)
class Lease:
    """The right to append to one turn's message, for as long as the epoch stands."""

    turn_id: int
    session_id: int
    message_id: int
    epoch: int
    owner: str


@one_transaction
def claim_turn(turn: Turn, *, owner: str) -> Lease:
    """Afterwards `owner` runs the turn and its reply is open. Refused unless it is the next one of the
    active session and nothing runs there."""
    session, turn = lock_turn(turn)
    if turn.state != TurnState.QUEUED or not _is_next(session, turn):
        raise TurnUnavailable
    now = timezone.now()
    reply = _open_reply(session, turn, at=now)
    require_step(turn.state, TurnState.RUNNING)
    turn.state, turn.reply, turn.started_at = TurnState.RUNNING, reply, now
    _take(turn, owner, now)
    payload = {
        "turn": str(turn.public_id),
        "message": str(reply.public_id),
        "agent": str(turn.agent.public_id),
        "agent_name": turn.agent.name,
        "question": str(turn.question.public_id),
        "asked_by_name": turn.asked_by.name if turn.asked_by else "",
        "supersedes": str(reply.supersedes.public_id) if reply.supersedes else None,
        "continues": str(reply.continues.public_id) if reply.continues else None,
        "told": what_it_is_told(session.conversation, turn.agent),
    }
    append(session, Fact(EventKind.TURN_STARTED, payload, reply), at=now)
    return lease_of(turn)


def what_it_is_told(conversation: Conversation, agent: Agent) -> dict[str, Any]:
    """The settings a prompt is made with. They are in the log, so that the prompt can be made again from it."""
    system = "\n\n".join(text for text in (agent.system_prompt, conversation.system_prompt) if text.strip())
    return {
        "system": system,
        "provider": agent.provider,
        "model": agent.model,
        "tools": agent.tools,
        "tool_listings": [str(listing.public_id) for listing in listings_of(agent)],
        "context_limit": agent.context_limit,
    }


@one_transaction
def record_context(lease: Lease, *, digest: str) -> bool:
    """Remembers with the turn what the model was sent; nothing where the turn has another owner by now."""
    mine = Turn.objects.filter(pk=lease.turn_id, epoch=lease.epoch, state=TurnState.RUNNING)
    return bool(mine.update(context_digest=digest))


@one_transaction
def renew_leases(leases: Iterable[Lease]) -> set[int]:
    """Prolongs the leases whose epoch stands; gives the ids of those turns. The others have been lost."""
    asked = {lease.turn_id: lease.epoch for lease in leases}
    running = Turn.objects.select_for_update(no_key=True).filter(pk__in=asked, state=TurnState.RUNNING)
    epochs = running.order_by("pk").values_list("pk", "epoch")
    held = {turn_id for turn_id, epoch in epochs if asked[turn_id] == epoch}
    Turn.objects.filter(pk__in=held).update(lease_until=lease_end(timezone.now()))
    return held


def held_leases(leases: Sequence[Lease]) -> set[int]:
    """The turns whose lease still stands: neither ended nor taken over. Asked often, so it only reads."""
    turns = Turn.objects.filter(pk__in=[lease.turn_id for lease in leases], state=TurnState.RUNNING)
    epochs = dict(turns.values_list("pk", "epoch"))
    return {lease.turn_id for lease in leases if epochs.get(lease.turn_id) == lease.epoch}


def leases_of(owner: str) -> list[Lease]:
    """What a process owns, whether it knows of it or not."""
    return [lease_of(turn) for turn in Turn.objects.filter(owner=owner, state=TurnState.RUNNING)]


@one_transaction
def release_lease(lease: Lease) -> bool:
    """Lets go of a turn that has not ended, so that another process can go on with it at once."""
    mine = Turn.objects.filter(pk=lease.turn_id, epoch=lease.epoch, state=TurnState.RUNNING)
    return bool(mine.update(owner="", lease_until=timezone.now(), epoch=F("epoch") + 1))


def lease_of(turn: Turn) -> Lease:
    assert turn.reply_id is not None
    return Lease(turn.pk, turn.session_id, turn.reply_id, turn.epoch, turn.owner)


def lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=LEASE_SECONDS)


def take_over(session: Session, turn: Turn, *, owner: str, at: datetime) -> Lease:
    """Makes `owner` the new owner of a locked, running turn; the old one is fenced off from here on.

    Only a death counts: an owner that let go, as every restart makes it, has harmed nothing.
    """
    require_step(turn.state, TurnState.RUNNING)
    turn.resumes += bool(turn.owner)
    _take(turn, owner, at)
    payload = {"turn": str(turn.public_id), "attempt": turn.resumes}
    append(session, Fact(EventKind.TURN_RESUMED, payload, turn.reply), at=at)
    return lease_of(turn)


def _is_next(session: Session, turn: Turn) -> bool:
    earlier = session.turns.live().filter(pk__lt=turn.pk)
    running = session.turns.filter(state=TurnState.RUNNING)
    return session.is_active and not earlier.exists() and not running.exists()


def _open_reply(session: Session, turn: Turn, *, at: datetime) -> Message:
    return Message.objects.create(
        conversation_id=session.conversation_id,
        session=session,
        role=MessageRole.AGENT,
        agent=turn.agent,
        supersedes=turn.supersedes,
        continues=turn.continues,
        first_seq=session.last_seq + 1,
        posted_at=at,
    )


def _take(turn: Turn, owner: str, at: datetime) -> None:
    turn.owner, turn.epoch, turn.lease_until = owner, turn.epoch + 1, lease_end(at)
    turn.save(update_fields=["state", "reply", "started_at", "owner", "epoch", "lease_until", "resumes"])
