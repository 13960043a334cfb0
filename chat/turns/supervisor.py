"""Sees to it that every turn is run by somebody: claims what waits, keeps what runs, takes over what was left."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from django.db import Error

from chat.broadcast.place import Place, place_of
from chat.database_threads import read, write
from chat.metrics import TURNS_RUNNING
from chat.turns.recovery import recover
from chat.turns.runner import Runner, RunningTurn
from sessions_app.errors import DatabaseBusy, HoldfastError, NotFound, TurnUnavailable
from sessions_app.services.turn_lease import (
    Lease,
    claim_turn,
    held_leases,
    leases_of,
    release_lease,
    renew_leases,
)
from sessions_app.services.turn_queue import claimable_turns

AT_ONCE = 500
CLAIMED_A_LOOK = 50
LOOK_SECONDS = 0.5
RENEW_SECONDS = 4.0
RECOVER_SECONDS = 1.0
DRAIN_LOOK_SECONDS = 0.1
FLUSH_SECONDS = 5.0

log = structlog.get_logger(__name__)


class Supervisor:
    def __init__(self, owner: str, runner: Runner, tell: Callable[[Place], None]) -> None:
        self._owner, self._runner, self._tell = owner, runner, tell
        self._running: dict[asyncio.Task[None], RunningTurn] = {}
        self._claiming: set[int] = set()
        self._wake = asyncio.Event()
        self._is_claiming = True

    def wake(self) -> None:
        """Something was queued, stopped or moved: look at once."""
        self._wake.set()

    def start(self, lease: Lease) -> None:
        """Runs a turn of which this process holds the lease."""
        turn = RunningTurn(lease)
        task = asyncio.ensure_future(self._runner.run(turn))
        self._running[task] = turn
        TURNS_RUNNING.set(len(self._running))
        task.add_done_callback(self._ended)

    async def run(self) -> None:
        """Until it is cancelled. Each part goes on when another has to wait for the database."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._again_and_again(self._look, LOOK_SECONDS, self._wake))
            group.create_task(self._again_and_again(self._renew, RENEW_SECONDS))
            group.create_task(self._again_and_again(self._recover, RECOVER_SECONDS))

    async def drain(self, *, seconds: float) -> None:
        """Claims nothing more, hands on what another process can go on with, and gives the rest some time."""
        self._is_claiming = False
        until = asyncio.get_running_loop().time() + seconds
        while self._running and asyncio.get_running_loop().time() < until:
            await self._hand_on([task for task, turn in self._running.items() if turn.can_be_handed_on])
            if self._running:
                await asyncio.wait(self._running, timeout=DRAIN_LOOK_SECONDS)
        await self._hand_on(list(self._running))

    async def _hand_on(self, tasks: list[asyncio.Task[None]]) -> None:
        """Ends our part of these turns with everything saved, and lets go of them."""
        turns = [self._running[task] for task in tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(self._let_go_of(turn) for turn in turns))

    async def _let_go_of(self, turn: RunningTurn) -> None:
        """A database that does not take it in time is left alone: the next process finds us dead."""
        with contextlib.suppress(HoldfastError, Error, TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                if turn.stream is not None:
                    await turn.stream.committed()
                await write(release_lease, turn.lease)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        TURNS_RUNNING.set(len(self._running))
        self.wake()

    async def _again_and_again(
        self, act: Callable[[], Coroutine[Any, Any, None]], seconds: float, wake: asyncio.Event | None = None
    ) -> None:
        wake = wake or asyncio.Event()
        while True:
            try:
                await act()
            except (Error, DatabaseBusy) as error:
                log.warning("supervisor_waits", what=act.__name__, error=str(error))
            try:
                async with asyncio.timeout(seconds):
                    await wake.wait()
            except TimeoutError:
                pass
            wake.clear()

    async def _look(self) -> None:
        await self._let_go_of_lost()
        if self._is_claiming:
            await self._claim()

    async def _let_go_of_lost(self) -> None:
        """Stops providers whose turn somebody else has ended or taken: at once here, within a look elsewhere."""
        running = dict(self._running)
        if not running:
            return
        held = await read(held_leases, [turn.lease for turn in running.values()])
        for task, turn in running.items():
            if turn.lease.turn_id not in held and not turn.is_ending:
                task.cancel()

    async def _claim(self) -> None:
        room = min(AT_ONCE - len(self._running), CLAIMED_A_LOOK)
        for turn in await read(claimable_turns, limit=room) if room > 0 else ():
            if not self._is_claiming:
                return
            self._claiming.add(turn.pk)
            try:
                self.start(await write(claim_turn, turn, owner=self._owner))
            except (TurnUnavailable, NotFound):
                continue
            finally:
                self._claiming.discard(turn.pk)
            self._tell(place_of(turn.session.conversation))

    async def _renew(self) -> None:
        if self._running:
            await write(renew_leases, [turn.lease for turn in self._running.values()])

    async def _recover(self) -> None:
        if not self._is_claiming:
            return
        for place in await write(recover, self._owner):
            self._tell(place)
        self._take_up(await read(leases_of, self._owner))

    def _take_up(self, leases: list[Lease]) -> None:
        """Runs what this process owns and does not run: taken over just now, or claimed when the database's
        answer was lost on its way."""
        running = {turn.lease.turn_id for turn in self._running.values()} | self._claiming
        for lease in leases:
            if lease.turn_id not in running:
                self.start(lease)
