"""Asks the model on this machine, in this process or, run as a program, in one that may be killed."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import asdict
from typing import cast

from chat.events import AgentEvent, Asked, Prompt, Replied, Text
from chat.providers.base import ProviderSettings
from chat.providers.local import LocalProvider

WAIT_SECONDS = 120
LONG_QUESTION = "Tell me a long story about a ship, a storm and a lighthouse, with many chapters."


def asking(question: str, *, begun: str = "") -> Prompt:
    """A question, and perhaps what was already said in answer to it."""
    if begun:
        return Prompt((Asked(question), Replied((Text(begun),))), continues=True)
    return Prompt((Asked(question),))


def stream_of(prompt: Prompt, *, most_tokens: int = 40) -> AsyncGenerator[AgentEvent]:
    provider = LocalProvider(ProviderSettings(most_output_tokens=most_tokens))
    return cast("AsyncGenerator[AgentEvent]", provider.stream(prompt))


async def hear(prompt: Prompt, *, most_tokens: int = 40) -> list[AgentEvent]:
    async with aclosing(stream_of(prompt, most_tokens=most_tokens)) as stream:
        return [event async for event in stream]


def text_of(events: list[AgentEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


async def until(is_so: Callable[[], bool]) -> None:
    """Waits for what another thread is about to do."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_so():  # noqa: ASYNC110 (the other thread has no event of ours)
            await asyncio.sleep(0.01)


async def tell(question: str, most_tokens: int) -> None:
    """Writes each event as a line: its kind, its fields, and the process that made it."""
    from chat.providers.local import engine

    async for event in stream_of(asking(question), most_tokens=most_tokens):
        shared = engine._Shared.engine
        fields = {"kind": type(event).__name__, **asdict(event), "pid": shared.pid if shared else None}
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(tell(sys.argv[1], int(sys.argv[2])))
