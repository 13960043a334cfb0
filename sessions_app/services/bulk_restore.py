"""Brings many archived sessions back at once: first what would happen to each, then each by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sessions_app.errors import AlreadyActive, Conflict, ConversationArchived, HoldfastError
from sessions_app.models import AuditEntry, Session, User
from sessions_app.services.audit import Origin
from sessions_app.services.restore import restore_session

MOST = 200
TWO_OF_ONE = (
    "Two sessions of this conversation are chosen and only one can be active; neither would be restored."
)


@dataclass(frozen=True)
class Plan:
    """What restoring one session would archive, or why it cannot be restored."""

    session: Session
    active: Session
    problem: str = ""


@dataclass(frozen=True)
class Outcome:
    plan: Plan
    entry: AuditEntry | None = None
    problem: str = ""


def plan_restores(sessions: Iterable[Session]) -> list[Plan]:
    """Looks, and changes nothing."""
    chosen = list(sessions)
    counts = Counter(session.conversation_id for session in chosen)
    return [_plan(session, is_alone=counts[session.conversation_id] == 1) for session in chosen]


def restore_planned(
    plans: Sequence[Plan], *, by: User | None, origin: Origin, reason: str = "", key: str = ""
) -> list[Outcome]:
    """Each conversation in its own transaction, if what was active in the plan is so still: one that is refused
    holds up no other. With a `key` a repetition changes nothing."""
    return [_restore(plan, by=by, origin=origin, reason=reason, key=key) for plan in plans]


def _plan(session: Session, *, is_alone: bool) -> Plan:
    conversation = session.conversation
    problem = ""
    if not is_alone:
        problem = TWO_OF_ONE
    elif session.pk == conversation.active_session_id:
        problem = AlreadyActive.sentence
    elif conversation.is_archived:
        problem = ConversationArchived.sentence
    return Plan(session, conversation.active_session, problem)


def _restore(plan: Plan, *, by: User | None, origin: Origin, reason: str, key: str) -> Outcome:
    try:
        if plan.problem:
            raise Conflict(plan.problem)
        entry = restore_session(
            plan.session,
            by=by,
            origin=origin,
            expected_session=plan.active,
            reason=reason,
            idempotency_key=f"{key}:{plan.session.public_id}" if key else None,
        )
    except HoldfastError as refusal:
        return Outcome(plan, problem=str(refusal))
    return Outcome(plan, entry=entry)
