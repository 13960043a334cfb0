"""Runs agents in a process of their own, beside one or more that serve."""

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.turns.runtime import Runtime
from sessions_app.errors import StartupRefused
from sessions_app.services.startup import check_startup


class Command(BaseCommand):
    help = "Runs agents for processes that were started with `serve --no-agents`."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            check_startup()
        except StartupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        runtime = Runtime(runs_agents=True)
        runtime.recover_first()
        asyncio.run(run_until_told(runtime, self.announce))

    def announce(self) -> None:
        self.stdout.write("Agents are running; stop them with Ctrl-C.")
        self.stdout.flush()


async def run_until_told(runtime: Runtime, announce: Callable[[], None]) -> None:
    """Ends in order when it is told to. One that breaks ends with its error: whoever watches starts it again."""
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    announce()
    running, waiting = asyncio.create_task(runtime.run()), asyncio.create_task(told.wait())
    await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    await runtime.drain()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
