"""What a socket follows: at most one session, on a task of its own."""

from __future__ import annotations

import asyncio
import contextlib

import structlog

from chat.broadcast.announcing import station
from chat.broadcast.follower import Follower, Send
from chat.consumers.finding import Subscription
from chat.wire import frame

log = structlog.get_logger(__name__)


class Following:
    def __init__(self, send: Send) -> None:
        self._send = send
        self._follower: Follower | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, found: Subscription, *, after: int, with_blocks: bool) -> None:
        """From `after` on, or from the end of the log where that is earlier."""
        after = min(after, found.last_seq)
        self._follower = Follower(
            found.session_id, found.session, after=after, send=self._send, with_blocks=with_blocks
        )
        station().hub.follow(self._follower, conversation_id=found.place.conversation_id, last=found.last_seq)
        self._task = asyncio.ensure_future(self._follow(self._follower, up_to=found.last_seq))

    def acknowledge(self, session: str, seq: int) -> None:
        if self._follower is not None and self._follower.session == session:
            self._follower.acknowledge(seq)

    @property
    def is_behind(self) -> bool:
        return self._follower is not None and not self._follower.has_room

    def cancel(self) -> None:
        if self._follower is not None:
            station().hub.unfollow(self._follower)
            self._follower = None
        if self._task is not None:
            self._task.cancel()

    async def stop(self) -> None:
        """Returns when nothing more of it can be sent."""
        self.cancel()
        if self._task is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _follow(self, follower: Follower, *, up_to: int) -> None:
        async def caught_up(seq: int) -> None:
            await self._send(frame("caught_up", session=follower.session, seq=seq))

        try:
            await follower.run(up_to=up_to, caught_up=caught_up)
        except Exception:
            log.exception("follower_broke", session=follower.session)
