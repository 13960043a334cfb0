"""Which messages of a history an agent is sent: what was said when its turn began, and still counts."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sessions_app.models import Message, MessageRole, Session, Turn, TurnState
from sessions_app.services.compaction import Compaction
from sessions_app.services.history import history, superseded_in

PAGE = 100


def relevant_messages(
    session: Session,
    compaction: Compaction | None,
    *,
    before: Message | None,
    leaving_out: Collection[int | None],
) -> Iterator[Message]:
    """Newest first, back to the last compaction. Without: what was withdrawn, what waits for a later turn than
    the one whose reply is `before`, older versions of a reply, and what is left out by id."""
    moment = before.first_seq if before else None
    end: Message | None = before
    while True:
        page = history(session, before=end, limit=PAGE)
        kept = [message for message in page if not _is_summarised(message, compaction)]
        passed_over = _unanswered(session, moment, kept) | _outdated(session, moment, kept)
        for message in reversed(kept):
            if message.is_sealed and message.pk not in passed_over and message.pk not in leaving_out:
                yield message
        if len(page) < PAGE or not kept:
            return
        end = page[0]


def _is_summarised(message: Message, compaction: Compaction | None) -> bool:
    if compaction is None:
        return False
    checkpoint = compaction.checkpoint
    if message.session_id != checkpoint.session_id:
        # Histories go back through parents, whose ids are smaller.
        return message.session_id < checkpoint.session_id
    is_older = message.sealed_seq is not None and message.sealed_seq <= checkpoint.seq
    return is_older and message.first_seq < compaction.kept_from


def _unanswered(session: Session, moment: int | None, messages: list[Message]) -> set[int]:
    """Questions that were withdrawn, or whose turn in this session had not begun at that moment."""
    turns = Turn.objects.filter(question__in=messages, supersedes=None, continues=None).select_related(
        "reply"
    )
    return {
        turn.question_id
        for turn in turns
        if turn.state == TurnState.WITHDRAWN
        or (turn.session_id == session.pk and not _had_begun(turn.reply, moment))
    }


def _outdated(session: Session, moment: int | None, messages: list[Message]) -> set[int]:
    """Replies of which there was a newer version at that moment."""
    replies = [message for message in messages if message.role == MessageRole.AGENT]
    return {
        old
        for old, newer in superseded_in(session, replies).items()
        if newer.session_id != session.pk or _had_begun(newer, moment)
    }


def _had_begun(reply: Message | None, moment: int | None) -> bool:
    return reply is not None and (moment is None or reply.first_seq < moment)
