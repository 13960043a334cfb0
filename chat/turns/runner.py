"""Drives one turn from its first word to its end: provider, tools, provider again, until there is an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import structlog

from chat.broadcast.place import Place
from chat.database_threads import read, write
from chat.events import Prompt, ToolCall, Usage
from chat.metrics import TURNS_ENDED
from chat.providers.registry import UnknownProvider
from chat.turns.assignment import Assignment, assignment_of
from chat.turns.compaction import compact_for
from chat.turns.history import going_on
from chat.turns.journal_writer import JournalWriter
from chat.turns.rounds import DEFECT, run_round
from chat.turns.stream import NotSaved, Stream
from chat.turns.titles import give_title
from chat.turns.tool_calls import leave_out, run_call
from chat.turns.tools import CALLS_PER_TURN
from sessions_app.errors import HoldfastError, NotFound, StaleEpoch
from sessions_app.models import Turn, TurnState
from sessions_app.services.ending import finish_turn
from sessions_app.services.transactions import CANNOT_NOW
from sessions_app.services.turn_lease import Lease

TOO_MANY_CALLS = f"The agent called tools {CALLS_PER_TURN} times without coming to an end, so it was stopped."
RETRY_SECONDS = 0.5

R = TypeVar("R")

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class End:
    state: TurnState
    reason: str = ""
    usage: Usage | None = None


@dataclass
class RunningTurn:
    """What others may know of a turn that runs here. `is_ending` says that its owner is about to end it itself.

    `can_be_handed_on` is true while another process could go on with it: no tool runs, and the agent can.
    """

    lease: Lease
    stream: Stream | None = None
    goes_on: bool = False
    is_in_tool: bool = False
    is_ending: bool = False

    @property
    def can_be_handed_on(self) -> bool:
        return self.goes_on and not self.is_in_tool and not self.is_ending


class Runner:
    """Runs turns of which this process holds the lease. `tell` is called whenever a service has committed."""

    def __init__(self, journal: JournalWriter, tell: Callable[[Place], None]) -> None:
        self._journal, self._tell = journal, tell
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, turn: RunningTurn) -> None:
        """Returns when the turn has ended, by itself or by somebody else; never raises but when cancelled."""
        try:
            await self._begin_and_run(turn)
        except (StaleEpoch, NotFound):
            log.info(
                "turn_lost", turn=turn.lease.turn_id
            )  # stopped, taken over or purged; who did it said so
        except Exception:
            log.exception("turn_broke", turn=turn.lease.turn_id)

    async def _begin_and_run(self, turn: RunningTurn) -> None:
        try:
            work = await until_it_works(lambda: write(assignment_of, turn.lease))
        except StaleEpoch:
            raise
        except (HoldfastError, UnknownProvider) as error:
            await self._finish(turn, End(TurnState.FAILED, str(error)))
        except Exception:
            log.exception("turn_not_begun", turn=turn.lease.turn_id)
            await self._finish(turn, End(TurnState.FAILED, DEFECT))
        else:
            await self._run(turn, work)

    async def _run(self, turn: RunningTurn, work: Assignment) -> None:
        turn.goes_on = work.goes_on
        turn.stream = self._journal.open(
            work.lease, session=work.session, message=work.message, last_seq=work.last_seq
        )
        try:
            work = await self._made_to_fit(work)
            end = await self._drive(turn, work, turn.stream)
            await turn.stream.committed()
        except NotSaved as error:
            end = End(TurnState.FAILED, str(error))
        except StaleEpoch:
            raise
        except Exception:
            log.exception("turn_broke", turn=work.lease.turn_id)
            end = End(TurnState.FAILED, DEFECT)
        await self._finish(turn, end)
        self._tell(work.place)
        if end.state == TurnState.COMPLETED:
            self._beside(give_title(work, self._tell))

    async def _made_to_fit(self, work: Assignment) -> Assignment:
        """Compacts first where the context is nearly full, and reads the assignment anew: also where the database
        went away meanwhile, since only the log says whether that was saved."""
        try:
            if not await compact_for(work):
                return work
        except CANNOT_NOW as error:
            log.warning("compaction_perhaps_not_saved", error=str(error))
        self._tell(work.place)
        return await until_it_works(lambda: write(assignment_of, work.lease))

    async def _drive(self, turn: RunningTurn, work: Assignment, stream: Stream) -> End:
        prompt, calls, made, usage = work.prompt, list(work.pending_calls), 0, Usage()
        while True:
            if calls:
                await self._call_tools(turn, calls, stream, work)
                prompt = await self._prompt_after_tools(work)
            outcome = await run_round(work.provider, prompt, stream)
            calls, made, usage = outcome.calls, made + len(outcome.calls), _sum(usage, outcome.usage)
            failure = outcome.failure or (TOO_MANY_CALLS if made > CALLS_PER_TURN else "")
            if failure:
                leave_out(calls, stream)
                return End(TurnState.FAILED, failure, usage)
            if not calls:
                return End(TurnState.COMPLETED, outcome.remark, usage)

    async def _prompt_after_tools(self, work: Assignment) -> Prompt:
        begun_with, reply = work.context.prompt, work.reply
        return await until_it_works(lambda: read(going_on, begun_with, reply, can_continue=work.can_continue))

    async def _call_tools(
        self, turn: RunningTurn, calls: list[ToolCall], stream: Stream, work: Assignment
    ) -> None:
        """Every call is committed before the first one runs."""
        await stream.committed()
        turn.is_in_tool = True
        for call in calls:
            await run_call(call, stream, work.tool_context)
        turn.is_in_tool = False

    async def _finish(self, turn: RunningTurn, end: End) -> None:
        turn.is_ending = True
        lease, usage = turn.lease, asdict(end.usage) if end.usage and end.usage != Usage() else None
        row = Turn(pk=lease.turn_id, session_id=lease.session_id)
        await until_it_works(
            lambda: write(finish_turn, row, end.state, epoch=lease.epoch, reason=end.reason, usage=usage)
        )
        TURNS_ENDED.labels(end.state).inc()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        """What is worth doing after a turn, but is no part of it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def until_it_works(act: Callable[[], Awaitable[R]]) -> R:
    """A database that is busy or away is asked again and again: the turn waits, as its reader does."""
    while True:
        try:
            return await act()
        except CANNOT_NOW as error:
            log.warning("turn_waits_for_database", error=str(error))
            await asyncio.sleep(RETRY_SECONDS)


def _sum(usage: Usage, more: Usage | None) -> Usage:
    if more is None:
        return usage
    return Usage(usage.input_tokens + more.input_tokens, usage.output_tokens + more.output_tokens)
