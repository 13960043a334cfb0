"""Records a compaction: what the model is sent gets shorter, what people read never does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid, SessionChanged
from sessions_app.models import Checkpoint, CheckpointKind, EventKind, Session, SessionEvent, User
from sessions_app.services.checkpoints import mark_checkpoint
from sessions_app.services.history import lineage
from sessions_app.services.log import Fact, append, lock_session
from sessions_app.services.transactions import one_transaction


@dataclass(frozen=True)
class Compaction:
    """A summary that stands, for the model, in place of everything sealed before the checkpoint, except what
    begins at `kept_from` or later in the checkpoint's own session."""

    checkpoint: Checkpoint
    payload: dict[str, Any]

    @property
    def kept_from(self) -> int:
        return int(self.payload["kept_from"])


@one_transaction
def record_compaction(
    session: Session, *, summary: str, by: User | None, reason: str = "", kept_from: int | None = None
) -> Checkpoint:
    """Takes a checkpoint, then appends the summary. Restoring the checkpoint gives the full context back.
    `kept_from` is the first seq that is still sent word for word; without it nothing so far is."""
    summary = clean_text(summary).strip()
    if not summary:
        raise Invalid("A compaction needs a summary; nothing was changed.")
    session = lock_session(session.pk)
    if not session.is_active:
        raise SessionChanged
    now = timezone.now()
    checkpoint = mark_checkpoint(
        session, kind=CheckpointKind.COMPACTION, name="Before compaction", by=by, at=now
    )
    payload = {
        "summary": summary,
        "checkpoint": str(checkpoint.public_id),
        "reason": reason,
        "kept_from": checkpoint.seq + 1 if kept_from is None else kept_from,
        "by": str(by.public_id) if by else None,
        "by_name": by.name if by else "",
    }
    append(session, Fact(EventKind.COMPACTED, payload), at=now)
    return checkpoint


def last_compaction(session: Session, *, before_seq: int | None = None) -> Compaction | None:
    """The newest compaction this session's history contains, its own (before a seq) or inherited."""
    ends = {segment.session.pk: segment.up_to for segment in lineage(session)} | {session.pk: before_seq}
    nearness = {session_id: number for number, session_id in enumerate(ends)}
    checkpoints = Checkpoint.objects.filter(session__in=ends, kind=CheckpointKind.COMPACTION)
    within = [found for found in checkpoints if _is_before(found.seq, ends[found.session_id])]
    newest = min(within, key=lambda found: (nearness[found.session_id], -found.seq), default=None)
    if newest is None:
        return None
    event = SessionEvent.objects.get(session=newest.session_id, seq=newest.seq + 1)
    return Compaction(newest, event.content)


def _is_before(seq: int, end: int | None) -> bool:
    return end is None or seq < end
