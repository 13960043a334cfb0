"""Speaks the demo agent's rounds as a stream, and goes on after whatever of a round was said before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import assert_never

from chat.events import (
    AgentEvent,
    Asked,
    Failed,
    Finished,
    FinishReason,
    Prompt,
    Reasoning,
    Replied,
    Text,
    ToolCall,
    Usage,
)
from chat.providers.base import ProviderSettings
from chat.providers.demo.pace import Pace
from chat.providers.demo.rounds import Round, round_of, said_of
from chat.providers.demo.tokens import split_into_tokens
from chat.providers.demo.wishes import Fault, FaultKind

CHARACTERS_A_TOKEN = 4


class DemoProvider:
    """Its reply depends on the prompt alone: what is interrupted and gone on with ends as if it had not been."""

    can_continue = True

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings

    async def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]:
        """A fault strikes once: who goes on after it hears the rest."""
        round_ = round_of(prompt)
        said = said_of(prompt)
        fault = round_.fault if _is_ahead(round_, said) else None
        text = round_.text_before_fault if fault else round_.text
        pace = Pace(round_.rate)
        count = 0
        for event in _unsaid(round_.reasoning, text, said):
            await pace.wait()
            count += 1
            yield event
        if round_.call and not _has_called(said):
            yield round_.call
        yield await _ending(round_, fault, Usage(_size(prompt), count))


def _unsaid(reasoning: str, text: str, said: Replied) -> Iterator[Reasoning | Text]:
    """What is left of the round, token by token. Who has begun to speak has done with thinking."""
    thought, spoken = _length(said, Reasoning), _length(said, Text)
    if not spoken:
        yield from map(Reasoning, split_into_tokens(reasoning[thought:]))
    yield from map(Text, split_into_tokens(text[spoken:]))


def _is_ahead(round_: Round, said: Replied) -> bool:
    """Whether a fault is still to come."""
    spoken = _length(said, Text)
    return spoken < len(round_.text_before_fault) or not spoken


async def _ending(round_: Round, fault: Fault | None, usage: Usage) -> Finished | Failed:
    if fault is None:
        return Finished(FinishReason.TOOL_CALLS if round_.call else FinishReason.STOP, usage)
    match fault.kind:
        case FaultKind.FAIL:
            return Failed("The demo agent failed, as it was asked to.")
        case FaultKind.CUT:
            return Failed("The connection to the demo agent broke off, as it was asked to.", is_passing=True)
        case FaultKind.REFUSE:
            return Finished(FinishReason.REFUSED, usage)
        case FaultKind.LENGTH:
            return Finished(FinishReason.LENGTH, usage)
        case FaultKind.HANG:
            await asyncio.Event().wait()
            raise AssertionError("Nobody sets this event.")
        case _:
            assert_never(fault.kind)


def _length(said: Replied, kind: type[Reasoning] | type[Text]) -> int:
    return sum(len(part.text) for part in said.parts if isinstance(part, kind))


def _has_called(said: Replied) -> bool:
    return any(isinstance(part, ToolCall) for part in said.parts)


def _size(prompt: Prompt) -> int:
    """About how many tokens the prompt has."""
    asked = sum(len(message.text) for message in prompt.messages if isinstance(message, Asked))
    replied = sum(_length(message, Text) for message in prompt.messages if isinstance(message, Replied))
    return (len(prompt.system) + asked + replied) // CHARACTERS_A_TOKEN
