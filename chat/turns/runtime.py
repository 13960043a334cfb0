"""All that is alive in one process, from its first recovery to its last commit."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from django.db import Error

from chat.broadcast import announcing
from chat.broadcast.announcing import Station
from chat.broadcast.hub import Hub
from chat.broadcast.keeping import send_heartbeats, watch_access
from chat.broadcast.neighbours import Neighbours
from chat.broadcast.place import Place
from chat.database_threads import write
from chat.metrics import JOURNAL_DELAY
from chat.providers.registry import close_providers
from chat.turns.journal_writer import JournalWriter
from chat.turns.owner import Owner
from chat.turns.recovery import end_abandoned, recover
from chat.turns.runner import Runner
from chat.turns.supervisor import Supervisor
from chat.wire import Piece, frame
from sessions_app.errors import DatabaseBusy

# Up to here nobody notices; from here on people are told that saving is delayed.
DELAY_SHOWN_SECONDS = 6.0
DELAY_LOOK_SECONDS = 0.5
DRAIN_SECONDS = 15.0
ABANDONED_LOOK_SECONDS = 10.0


class Runtime:
    """Made before the server listens; `recover_first` is done by then. `run` needs the event loop."""

    def __init__(self, *, runs_agents: bool) -> None:
        self.owner = Owner()
        self.runs_agents = runs_agents
        self.is_ready = False

    def recover_first(self) -> None:
        """Before anybody can ask: no turn is left with an owner that is dead."""
        if self.runs_agents:
            recover(self.owner.name)

    async def run(self) -> None:
        """Until it is cancelled; `drain` comes before that."""
        self.hub = Hub()
        self.neighbours = Neighbours(self.hub)
        self.journal = JournalWriter(self._deliver)
        self.supervisor = Supervisor(self.owner.name, Runner(self.journal, self._tell), self._tell)
        announcing.install(Station(self.hub, asyncio.get_running_loop(), self.neighbours))
        self.hub.listen(self.supervisor.wake)
        try:
            await self._run_all()
        finally:
            announcing.install(None)
            self.journal.close()

    async def _run_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self.hub.poll())
            group.create_task(self.neighbours.run())
            group.create_task(self.journal.run())
            group.create_task(self._watch_delay())
            group.create_task(send_heartbeats(self.hub.rooms))
            group.create_task(watch_access(self.hub.rooms))
            group.create_task(self.supervisor.run() if self.runs_agents else self._end_abandoned())
            self.is_ready = True

    async def drain(self) -> None:
        """Afterwards everything is saved, and nothing that another process could do is held back."""
        self.is_ready = False
        await self.supervisor.drain(seconds=DRAIN_SECONDS)
        await close_providers()
        self.owner.release()

    async def _end_abandoned(self) -> None:
        while True:
            await asyncio.sleep(ABANDONED_LOOK_SECONDS)
            with contextlib.suppress(Error, DatabaseBusy):
                for place in await write(end_abandoned, self.owner.name):
                    self._tell(place)

    def _deliver(self, pieces: Sequence[Piece]) -> None:
        """The only way from an agent to a screen: called with what the journal has committed."""
        self.hub.committed(pieces)
        self.neighbours.tell_committed(pieces)

    def _tell(self, place: Place) -> None:
        self.hub.changed(place)
        self.neighbours.tell_changed(place)

    async def _watch_delay(self) -> None:
        """Says that saving is delayed, and that it no longer is."""
        while True:
            await asyncio.sleep(DELAY_LOOK_SECONDS)
            delay = self.journal.delay_seconds
            JOURNAL_DELAY.set(delay)
            if (delay > DELAY_SHOWN_SECONDS) != self.hub.is_delayed:
                self.hub.is_delayed = not self.hub.is_delayed
                self.hub.rooms.tell_everybody(frame("delayed", delayed=self.hub.is_delayed))
