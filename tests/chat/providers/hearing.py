"""Asks a provider and listens to the end, as the tests of both vendors do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.events import AgentEvent, Asked, Prompt, Reasoning, Text, ToolCall
from chat.providers.anthropic import AnthropicProvider
from chat.providers.base import Provider, ProviderSettings
from chat.providers.limits import Limits
from chat.providers.openai_compatible import OpenAICompatibleProvider
from tests.vendors.running import RunningVendor

KEY = "sk-canary-0123456789abcdef"
PROMPT = Prompt((Asked("Tell me."),), system="Be brief.")
WAIT_SECONDS = 20
QUICK = Limits(first_pause_seconds=0.01)


@dataclass(frozen=True)
class Heard:
    events: list[AgentEvent]

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Text))

    @property
    def reasoning(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Reasoning))

    @property
    def calls(self) -> list[ToolCall]:
        return [event for event in self.events if isinstance(event, ToolCall)]

    @property
    def end(self) -> AgentEvent:
        return self.events[-1]


async def hear(provider: Provider, prompt: Prompt = PROMPT) -> Heard:
    async with asyncio.timeout(WAIT_SECONDS):
        return Heard([event async for event in provider.stream(prompt)])


def provider_for(
    vendor: RunningVendor | str,
    name: str,
    model: str = "scripted",
    limits: Limits = QUICK,
    key: str = KEY,
    **settings: object,
) -> Provider:
    """The provider called `openai` or `anthropic`, pointed at the server or at an address."""
    address = vendor if isinstance(vendor, str) else getattr(vendor, name)
    made = ProviderSettings(model=model, address=address, key=key, **settings)  # type: ignore[arg-type]
    return AnthropicProvider(made, limits) if name == "anthropic" else OpenAICompatibleProvider(made, limits)


def ends(events: Sequence[AgentEvent]) -> int:
    """How many of the events are ends; the protocol allows one, as the last."""
    return sum(not isinstance(event, Text | Reasoning | ToolCall) for event in events)


async def until(is_so: Callable[[], bool]) -> None:
    """Waits for what another thread is about to do."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_so():  # noqa: ASYNC110 (the other thread has no event of ours)
            await asyncio.sleep(0.01)
