"""Talks to the demo agent as the runner does: round after round, with tools that answer at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace
from typing import cast

from chat.events import (
    AgentEvent,
    Asked,
    Finished,
    Prompt,
    Reasoning,
    Replied,
    Returned,
    Text,
    ToolCall,
    ToolSpec,
)
from chat.providers.base import ProviderSettings
from chat.providers.demo import DemoProvider

EXPRESSION = {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOLS = (
    ToolSpec("time", "The time."),
    ToolSpec("calculator", "Calculates.", dict(EXPRESSION)),
    ToolSpec("search_history", "Searches.", dict(QUERY)),
)
OUTPUTS = {"time": "noon", "calculator": "14", "search_history": "nothing found"}

Part = Text | Reasoning | ToolCall


def asking(question: str, tools: tuple[ToolSpec, ...] = ()) -> Prompt:
    return Prompt(messages=(Asked(question),), tools=tools)


def going_on(prompt: Prompt, said: Iterable[Part]) -> Prompt:
    """The prompt of whoever goes on with a reply of which this was said."""
    return replace(prompt, messages=(*prompt.messages, Replied(tuple(said))), continues=True)


def returning(prompt: Prompt, said: Iterable[AgentEvent]) -> Prompt:
    """The prompt of the next round: what was said, and what its tool gave back."""
    parts = tuple(event for event in said if isinstance(event, Part))
    call = next(part for part in parts if isinstance(part, ToolCall))
    returned = Returned(call.id, call.name, OUTPUTS[call.name])
    return replace(prompt, messages=(*prompt.messages, Replied(parts), returned))


def stream_of(prompt: Prompt) -> AsyncGenerator[AgentEvent]:
    return cast("AsyncGenerator[AgentEvent]", DemoProvider(ProviderSettings()).stream(prompt))


async def hear(prompt: Prompt) -> list[AgentEvent]:
    """All that the agent says to the prompt."""
    async with aclosing(stream_of(prompt)) as stream:
        return [event async for event in stream]


async def hear_rounds(prompt: Prompt) -> list[tuple[Prompt, list[AgentEvent]]]:
    """Each round of a turn with the prompt it answers."""
    rounds = [(prompt, await hear(prompt))]
    while any(isinstance(event, ToolCall) for event in rounds[-1][1]):
        following = returning(*rounds[-1])
        rounds.append((following, await hear(following)))
    return rounds


def text_of(events: Iterable[AgentEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def reasoning_of(events: Iterable[AgentEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Reasoning))


def calls_of(events: Iterable[AgentEvent]) -> list[ToolCall]:
    return [event for event in events if isinstance(event, ToolCall)]


def first_characters(events: Iterable[AgentEvent], count: int) -> list[Part]:
    """What was said when the connection broke after that many characters, which may be inside a word."""
    reasoning, text = reasoning_of(events), text_of(events)
    thought, spoken = reasoning[:count], text[: max(0, count - len(reasoning))]
    return [part for part in (Reasoning(thought), Text(spoken)) if part.text]


def finished_of(events: list[AgentEvent]) -> Finished:
    end = events[-1]
    assert isinstance(end, Finished)
    return end
