"""Reads pieces of a session's log for followers: the same function that every other door reads it through."""

from __future__ import annotations

from chat.database_threads import read
from chat.wire import Piece, piece_of
from sessions_app.models import Session
from sessions_app.services.log import read_log

EVENTS_A_PIECE = 500
PIECE_CHARACTERS = 128 * 1024


async def read_piece(session_id: int, session: str, after: int) -> Piece | None:
    """What follows `after`, up to a size that fits into one frame; None where nothing follows yet."""
    return await read(_read, session_id, session, after)


def _read(session_id: int, session: str, after: int) -> Piece | None:
    events = read_log(Session(pk=session_id), after=after, limit=EVENTS_A_PIECE)
    size, taken = 0, 0
    for event in events:
        size += len(event.payload)
        if taken and size > PIECE_CHARACTERS:
            break
        taken += 1
    return piece_of(session_id, session, events[:taken]) if taken else None


def last_seqs(session_ids: list[int]) -> dict[int, int]:
    """Where the logs of these sessions end now."""
    return dict(Session.objects.filter(pk__in=session_ids).values_list("pk", "last_seq"))
