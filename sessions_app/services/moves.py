"""Moves a conversation's pointer to another session: the only code that can, and never without an audit entry."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sessions_app.errors import ConversationArchived, SessionChanged
from sessions_app.models import (
    Action,
    AuditEntry,
    CheckpointKind,
    Conversation,
    EventKind,
    Session,
    Turn,
    TurnState,
    User,
)
from sessions_app.services.audit import Origin, write_entry
from sessions_app.services.checkpoints import mark_checkpoint
from sessions_app.services.ending import end_turn
from sessions_app.services.log import Fact, append, lock_sessions

CHECKPOINT_NAMES = {
    Action.RESET: "Before a new session",
    Action.RESTORE_SESSION: "Before restoring session {number}",
    Action.RESTORE_CHECKPOINT: "Before restoring a checkpoint",
    Action.FORK: "Before a fork",
    Action.UNDO: "Before an undo",
}


def refuse_archived(conversation: Conversation) -> None:
    if conversation.is_archived:
        raise ConversationArchived


def require_expected(conversation: Conversation, expected: Session | None) -> None:
    """Compare and swap: who looked at another session than the active one is told, and changes nothing. Asked
    after replays are answered: a repetition of what was done is no new wish."""
    refuse_archived(conversation)
    if expected is not None and expected.pk != conversation.active_session_id:
        raise SessionChanged(active_session=str(conversation.active_session.public_id))


def new_session(
    conversation: Conversation,
    *,
    by: User | None,
    at: datetime,
    parent: Session | None = None,
    parent_seq: int | None = None,
    base: tuple[str, int] = ("", 0),
) -> Session:
    """One row, born archived; `base` is the digest and the number of messages it inherits."""
    last = conversation.sessions.order_by("-number").values_list("number", flat=True).first() or 0
    digest, count = base
    return Session.objects.create(
        conversation=conversation,
        number=last + 1,
        parent=parent,
        parent_seq=parent_seq,
        base_digest=digest,
        base_count=count,
        head_digest=digest,
        started_by=by,
        started_at=at,
        archived_at=at,
    )


def move_pointer(
    conversation: Conversation,
    action: Action,
    *,
    to: Session,
    by: User | None,
    origin: Origin,
    at: datetime,
    reason: str = "",
    idempotency_key: str | None = None,
    **facts: Any,
) -> AuditEntry:
    """Makes `to` the active session of a locked conversation. The one that was active is archived, with a
    checkpoint, its turns are ended, and both logs and the audit log say so."""
    sessions = lock_sessions(conversation.active_session_id, to.pk)
    old, new = sessions.get(conversation.active_session_id), sessions[to.pk]
    if old is not None:
        _end_live_turns(old, by=by, at=at)
        name = CHECKPOINT_NAMES[action].format(number=new.number)
        mark_checkpoint(old, kind=CheckpointKind.MOVE, name=name, by=by, at=at)
        _tell_old(old, action, new, by=by, reason=reason, at=at)
    entry = write_entry(
        conversation,
        action,
        by=by,
        origin=origin,
        at=at,
        reason=reason,
        old=old,
        new=new,
        idempotency_key=idempotency_key,
        **facts,
    )
    point_at(conversation, entry, old=old, new=new, reason=reason)
    _tell_new(new, action, old, by=by, reason=reason, at=at)
    conversation.refresh_from_db()
    return entry


def point_at(
    conversation: Conversation, entry: AuditEntry, *, old: Session | None, new: Session, reason: str
) -> None:
    """Pointer and entry together, as the guards demand; an import does again what was done elsewhere."""
    if old is not None:
        Session.objects.filter(pk=old.pk).update(archived_at=entry.at, archived_reason=reason)
    Session.objects.filter(pk=new.pk).update(archived_at=None, archived_reason="")
    Conversation.objects.filter(pk=conversation.pk).update(
        active_session=new, active_entry=entry, touched_at=entry.at
    )


def _end_live_turns(session: Session, *, by: User | None, at: datetime) -> None:
    """Nothing goes on in an archived session: what ran is stopped, what waited is withdrawn."""
    for turn in Turn.objects.select_for_update(no_key=True).live().filter(session=session).order_by("pk"):
        state = TurnState.STOPPED if turn.is_running else TurnState.WITHDRAWN
        reason = "The conversation moved to another session."
        end_turn(session, turn, state, reason=reason, by=by, at=at)


def _tell_old(
    old: Session, action: Action, new: Session, *, by: User | None, reason: str, at: datetime
) -> None:
    payload = {"successor": _link(new), **_who(action, by, reason)}
    append(old, Fact(EventKind.ARCHIVED, payload), at=at)


def _tell_new(
    new: Session, action: Action, old: Session | None, *, by: User | None, reason: str, at: datetime
) -> None:
    payload = {"predecessor": _link(old) if old else None, **_who(action, by, reason)}
    append(new, Fact(EventKind.MADE_ACTIVE, payload), at=at)


def _link(session: Session) -> dict[str, Any]:
    return {"id": str(session.public_id), "number": session.number, "messages": session.message_count}


def _who(action: Action, by: User | None, reason: str) -> dict[str, Any]:
    return {
        "action": str(action),
        "by": str(by.public_id) if by else None,
        "by_name": by.name if by else "operator",
        "reason": reason,
    }
