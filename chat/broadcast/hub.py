"""The hub of a process: lanes for the sessions somebody follows here, rooms for people, wake-ups for agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import structlog
from django.db import Error

from chat.broadcast.lane import Lane
from chat.broadcast.listener import Listener
from chat.broadcast.place import Place
from chat.broadcast.reading import last_seqs
from chat.broadcast.rooms import Rooms
from chat.database_threads import read
from chat.wire import Piece
from sessions_app.services.audience import levels

POLL_SECONDS = 2.0

log = structlog.get_logger(__name__)


class Hub:
    """Lives on one event loop. Everything it is told has been committed before."""

    def __init__(self) -> None:
        self.rooms = Rooms()
        self.is_delayed = False
        self._lanes: dict[int, Lane] = {}
        self._listeners: list[Callable[[], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def follow(self, follower: Listener, *, conversation_id: int, last: int) -> None:
        """From now on the follower is offered all that is committed; `last` is where the log ended just before."""
        lane = self._lanes.get(follower.session_id)
        if lane is None:
            lane = Lane(follower.session_id, follower.session, conversation_id, last=last)
            self._lanes[follower.session_id] = lane
        lane.followers.add(follower)
        # What the lane passed on between the reading of `last` and now, nobody offers this follower again.
        follower.reach(lane.last)
        lane.nudge(last)

    def unfollow(self, follower: Listener) -> None:
        lane = self._lanes.get(follower.session_id)
        if lane is None:
            return
        lane.followers.discard(follower)
        if not lane.followers:
            lane.close()
            del self._lanes[follower.session_id]

    def committed(self, pieces: Iterable[Piece]) -> None:
        """The journal has committed these."""
        for piece in pieces:
            if lane := self._lanes.get(piece.session_id):
                lane.committed(piece)

    def nudged(self, session_id: int, last: int) -> None:
        """Another process has committed up to `last`."""
        if lane := self._lanes.get(session_id):
            lane.nudge(last)

    def changed(self, place: Place) -> None:
        """A service has committed something in this conversation: look at its logs, its turns, the lists."""
        lanes = self._lanes.values()
        if followed := [lane.session_id for lane in lanes if lane.conversation_id == place.conversation_id]:
            self._start(self._look_at(followed))
        for wake in self._listeners:
            wake()
        if place.is_open:
            self.rooms.feed(place)
        else:
            self._start(self._feed_readers(place))

    def access_changed(self, workspace_id: int, workspace: str) -> None:
        """Somebody may have lost access: whoever is being sent something is looked at now."""
        self.rooms.feed_list(workspace_id, workspace)
        self.rooms.doubted.set()
        for lane in self._lanes.values():
            for follower in lane.followers:
                follower.doubt()

    def listen(self, wake: Callable[[], None]) -> None:
        """`wake` is called whenever there may be a turn to run or to end."""
        self._listeners.append(wake)

    async def poll(self) -> None:
        """Catches what no nudge told of, for as long as the process lives."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._lanes:
                await self._look_at(list(self._lanes))

    def _start(self, looking: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(looking)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _feed_readers(self, place: Place) -> None:
        """Of what is closed only those hear who can see it."""
        people = self.rooms.people_in(place.workspace_id)
        try:
            found = await read(levels, [(user_id, place.conversation_id) for user_id in people])
        except Error as error:
            log.warning("lists_not_fed", error=str(error))
            return
        self.rooms.feed(place, {user_id for user_id, _ in found})

    async def _look_at(self, session_ids: list[int]) -> None:
        try:
            ends = await read(last_seqs, session_ids)
        except Error as error:
            log.warning("logs_not_looked_at", error=str(error))
            return
        for session_id, last in ends.items():
            if lane := self._lanes.get(session_id):
                lane.nudge(last)
