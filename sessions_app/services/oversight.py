"""What operators do with everybody's conversations, on the record: read a transcript, release a stuck turn."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import NotAllowed, TurnUnavailable
from sessions_app.models import Action, AuditEntry, Session, Turn, TurnState, User
from sessions_app.services.access import OPERATE
from sessions_app.services.audit import Origin, clean_reason, write_entry, write_instance_entry
from sessions_app.services.ending import lock_turn
from sessions_app.services.log import lock_conversation
from sessions_app.services.transactions import one_transaction


@one_transaction
def record_opening(session: Session, *, by: User, origin: Origin) -> AuditEntry:
    """Afterwards the conversation's audit log says that this operator has read this session."""
    require_operator(by)
    conversation = lock_conversation(session.conversation)
    opened = {"id": str(session.public_id), "number": session.number}
    return write_entry(
        conversation, Action.OPEN_TRANSCRIPT, by=by, origin=origin, at=timezone.now(), session=opened
    )


@one_transaction
def release_turn(turn: Turn, *, by: User, epoch: int, origin: Origin, reason: str = "") -> AuditEntry:
    """Fences the owner off; whoever looks for orphans next goes on with the turn, or ends it as interrupted.
    Refused when it has another owner or an end since `epoch` was looked at."""
    require_operator(by)
    conversation = lock_conversation(turn.session.conversation)
    _, turn = lock_turn(turn)
    if turn.state != TurnState.RUNNING or turn.epoch != epoch:
        raise TurnUnavailable
    owner, now = turn.owner, timezone.now()
    let_go = {"owner": "", "lease_until": now - timedelta(seconds=1), "epoch": F("epoch") + 1}
    Turn.objects.filter(pk=turn.pk).update(**let_go)
    released = {"id": str(turn.public_id), "owner": owner}
    return write_entry(
        conversation,
        Action.RELEASE_TURN,
        by=by,
        origin=origin,
        at=now,
        reason=clean_reason(reason),
        turn=released,
    )


@one_transaction
def record_export(*, by: User, origin: Origin, form: str, entries: int, chosen: str) -> AuditEntry:
    """Afterwards the instance's own audit log says who took which entries out of the house."""
    require_operator(by)
    facts = {"format": form, "entries": entries, "chosen": clean_text(chosen)}
    return write_instance_entry(Action.EXPORT_AUDIT, by=by, origin=origin, at=timezone.now(), **facts)


def require_operator(user: User) -> None:
    if not (user.is_active and user.is_staff and user.has_perm(OPERATE)):
        raise NotAllowed
