"""Streams an answer from the model on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict

from chat.events import AgentEvent, Failed, Finished, FinishReason, Prompt, Text, Usage
from chat.providers.base import ProviderSettings
from chat.providers.local.chatml import write_script
from chat.providers.local.engine import Engine, Message, shared_engine
from chat.providers.local.files import ModelMissing

# A model this small does not get better by going on.
MOST_OUTPUT_TOKENS = 1024
# It writes many words a second, and says how it gets on while it reads: after this it will not come back.
SILENCE_SECONDS = 120.0
LOOK_SECONDS = 5.0

STOPPED = "The model on this machine stopped unexpectedly. It is started again for the next question."
BROKEN = "The model cannot run on this machine: the program that runs it does not start."
TOO_LONG = "This is more than the model on this machine can read. It has room for about 3,000 words."
UNABLE = "The model on this machine could not answer this."


class LocalProvider:
    """Handed back an unfinished reply, the model reads it as its own and goes on with the next word."""

    can_continue = True

    def __init__(self, settings: ProviderSettings) -> None:
        self._most = min(settings.most_output_tokens, MOST_OUTPUT_TOKENS)

    async def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]:
        """Waits its turn: one answer is made at a time."""
        try:
            engine = await asyncio.to_thread(shared_engine)
        except (ModelMissing, OSError) as missing:
            yield Failed(str(missing) if isinstance(missing, ModelMissing) else BROKEN)
            return
        number, answer = engine.open()
        is_finished = False
        try:
            request = {"id": number, "most": self._most, **asdict(write_script(prompt))}
            engine.send(request)
            while not is_finished:
                event = event_of(await _next(engine, answer))
                is_finished = isinstance(event, Finished | Failed)
                if event != Text(""):
                    yield event
        finally:
            engine.close(number, is_finished=is_finished)


async def _next(engine: Engine, answer: asyncio.Queue[Message]) -> Message:
    while True:
        try:
            return await asyncio.wait_for(answer.get(), LOOK_SECONDS)
        except TimeoutError:
            if engine.silent_seconds > SILENCE_SECONDS:
                engine.kill()


def event_of(message: Message) -> AgentEvent:
    """What a line of the process means."""
    match message:
        case {"text": str(text)}:
            return Text(text)
        case {"finished": reason, "input": int(read), "output": int(written)}:
            length = FinishReason.LENGTH if reason == "length" else FinishReason.STOP
            return Finished(length, Usage(read, written))
        case {"broken": _}:
            return Failed(BROKEN)
        case {"failed": "too_long"}:
            return Failed(TOO_LONG)
        case {"failed": _}:
            return Failed(UNABLE)
        case _:
            return Failed(STOPPED, is_passing=True)
