"""Claude models through Anthropic's messages interface."""

from __future__ import annotations

from collections.abc import AsyncIterator

from chat.events import AgentEvent, Prompt
from chat.providers.anthropic_messages import messages_body
from chat.providers.anthropic_reading import MessageReading
from chat.providers.asking import stream_answer
from chat.providers.base import ProviderSettings
from chat.providers.limits import Limits
from chat.providers.question import Question, checked_key, endpoint, make_question

DEFAULT_ADDRESS = "https://api.anthropic.com"
VERSION = "2023-06-01"


class AnthropicProvider:
    """Its current models refuse a reply that is begun for them, so an unfinished one cannot be gone on with."""

    can_continue = False

    def __init__(self, settings: ProviderSettings, limits: Limits | None = None) -> None:
        self._settings = settings
        self._limits = limits or Limits()

    def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]:
        return stream_answer(lambda: self._question(prompt), MessageReading, self._limits)

    def _question(self, prompt: Prompt) -> Question:
        headers = {"x-api-key": checked_key(self._settings), "anthropic-version": VERSION}
        address = (self._settings.address or DEFAULT_ADDRESS).rstrip("/").removesuffix("/v1")
        url = endpoint(address, "/v1/messages")
        return make_question(self._settings, url, messages_body(prompt, self._settings), headers)
