"""An agent that says exactly what a test has written down for it, round by round."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from chat.events import AgentEvent, Failed, Finished, Prompt
from chat.providers.base import ProviderSettings

NAME = "scripted"


@dataclass
class Script:
    """`rounds` are said one after the other, an exception is raised; `prompts` are what it was sent."""

    rounds: list[Sequence[AgentEvent | Exception]] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)


SCRIPT = Script()


class ScriptedProvider:
    can_continue = False

    def __init__(self, settings: ProviderSettings) -> None:
        pass

    async def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]:
        """Each round is finished, unless it says otherwise."""
        SCRIPT.prompts.append(prompt)
        for event in SCRIPT.rounds.pop(0):
            if isinstance(event, Exception):
                raise event
            yield event
            if isinstance(event, Finished | Failed):
                return
        yield Finished()
