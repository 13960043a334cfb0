"""The finished blocks of open replies, as frames for a follower that wants to show them."""

from __future__ import annotations

import asyncio
from typing import Any

from django.db.models import Q

from chat.blocks import LiveBlocks
from chat.database_threads import read
from chat.wire import Piece, frame
from sessions_app.models import EventKind, Message, MessageRole, SessionEvent


class BlockFeed:
    """Knows every open reply from its first word on, wherever its reader begins."""

    def __init__(self, session_id: int, session: str) -> None:
        self._session_id, self._session = session_id, session
        self._blocks = LiveBlocks()

    async def begin(self, after: int) -> list[str]:
        """The blocks that were finished up to `after`; a reader that has them already shows the same."""
        events = await read(_events_of_open_replies, self._session_id, after)
        return await asyncio.to_thread(self._feed, events)

    async def after(self, piece: Piece) -> list[str]:
        """The blocks that a piece finishes. Colouring code takes a while, so it leaves the loop for it."""
        if any(map(_may_finish, piece.events)):
            return await asyncio.to_thread(self._feed, piece.events)
        return self._feed(piece.events)

    def _feed(self, events: list[dict[str, Any]]) -> list[str]:
        return [
            frame("blocks", session=self._session, **fields)
            for event in events
            for fields in self._blocks.feed(event["kind"], event["message"], event["payload"])
        ]


def _may_finish(event: dict[str, Any]) -> bool:
    return event["kind"] != EventKind.TEXT or "\n" in event["payload"]["text"]


def _events_of_open_replies(session_id: int, after: int) -> list[dict[str, Any]]:
    is_open = Q(sealed_seq=None) | Q(sealed_seq__gt=after)
    replies = Message.objects.filter(
        is_open, session=session_id, role=MessageRole.AGENT, first_seq__lte=after
    )
    return [
        {"kind": event.kind, "message": str(reply.public_id), "payload": event.content}
        for reply in replies
        for event in SessionEvent.objects.filter(
            session=session_id, message=reply, seq__gte=reply.first_seq, seq__lte=after
        ).order_by("seq")
    ]
