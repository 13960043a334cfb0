"""Which providers there are, and what each needs to be set up."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass

from chat.providers.base import Provider, ProviderSettings


@dataclass(frozen=True)
class Entry:
    """`factory` is `module:name`, imported on first use: a vendor nobody uses costs nothing."""

    name: str
    title: str
    description: str
    factory: str
    needs_address: bool = False
    needs_key: bool = False
    needs_model: bool = False
    default_address: str = ""


class UnknownProvider(Exception):
    """An agent names a provider that this version does not have."""


PROVIDERS = {
    entry.name: entry
    for entry in (
        Entry(
            name="demo",
            title="Demo",
            description="A scripted agent that needs no network and no key, and can show every feature.",
            factory="chat.providers.demo:DemoProvider",
        ),
        Entry(
            name="local",
            title="On this machine",
            description="SmolLM2-135M, a very small language model that runs here. It is often wrong.",
            factory="chat.providers.local:LocalProvider",
        ),
        Entry(
            name="openai_compatible",
            title="OpenAI-compatible",
            description="Any address that speaks chat completions: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter.",
            factory="chat.providers.openai_compatible:OpenAICompatibleProvider",
            needs_address=True,
            needs_model=True,
            default_address="https://api.openai.com/v1",
        ),
        Entry(
            name="anthropic",
            title="Anthropic",
            description="Claude models through Anthropic's messages interface.",
            factory="chat.providers.anthropic:AnthropicProvider",
            needs_key=True,
            needs_model=True,
            default_address="https://api.anthropic.com",
        ),
    )
}


def make_provider(name: str, settings: ProviderSettings) -> Provider:
    """The provider of an agent; refused when this version does not know it."""
    entry = PROVIDERS.get(name)
    if entry is None:
        raise UnknownProvider(f"This version has no provider called “{name}”.")
    module, _, factory = entry.factory.partition(":")
    provider: Provider = getattr(importlib.import_module(module), factory)(settings)
    return provider


async def close_providers() -> None:
    """Closes the connections that providers keep on this event loop; costs nothing where none was used."""
    http = sys.modules.get("chat.providers.http")
    if http is not None:
        await http.close_client()
