"""Runs the tools an agent calls: each call is in the log before it runs, each result before it is used."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterable

from django.db import connection

from chat.events import ToolCall
from chat.turns.stream import Stream
from chat.turns.tools import TOOLS, ToolContext, ToolOutcome, call_remote, call_tool

UNKNOWN_TOOL_SECONDS = 5.0
NOT_MADE = "This call was not made: the answer ended before it."


async def run_call(call: ToolCall, stream: Stream, context: ToolContext) -> None:
    """Runs one call that is committed already, and commits its result."""
    begun = time.monotonic()
    remote = context.remote.get(call.name)
    outcome = await (call_remote(remote, call.arguments, context) if remote else _run_own(call, context))
    duration_ms = round((time.monotonic() - begun) * 1000)
    stream.add(
        "tool_result", id=call.id, status=outcome.status, output=outcome.output, duration_ms=duration_ms
    )
    await stream.committed()


async def _run_own(call: ToolCall, context: ToolContext) -> ToolOutcome:
    seconds = TOOLS[call.name].seconds if call.name in TOOLS else UNKNOWN_TOOL_SECONDS
    try:
        async with asyncio.timeout(seconds):
            return await _in_a_thread(lambda: call_tool(call.name, call.arguments, context))
    except TimeoutError:
        return ToolOutcome("error", f"The tool gave no answer within {seconds:g} s and was given up.")


def leave_out(calls: Iterable[ToolCall], stream: Stream) -> None:
    """Says of calls that will not be made that they were not: their outcome is known."""
    for call in calls:
        stream.add("tool_result", id=call.id, status="error", output=NOT_MADE, duration_ms=0)


async def _in_a_thread(call: Callable[[], ToolOutcome]) -> ToolOutcome:
    """A thread of its own that nobody waits for at the end: one that hangs costs no other call its place."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[ToolOutcome] = loop.create_future()

    def tell(outcome: ToolOutcome) -> None:
        if not done.done():
            done.set_result(outcome)

    def run() -> None:
        try:
            outcome = call()
        finally:
            connection.close()
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, outcome)

    threading.Thread(target=run, name="tool", daemon=True).start()
    return await done
