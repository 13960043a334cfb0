"""Agents behind any address that speaks chat completions: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter."""

from __future__ import annotations

from collections.abc import AsyncIterator

from chat.events import AgentEvent, Prompt
from chat.providers.asking import stream_answer
from chat.providers.base import ProviderSettings
from chat.providers.limits import Limits
from chat.providers.openai_messages import completion_body
from chat.providers.openai_reading import CompletionReading
from chat.providers.question import Question, checked_key, endpoint, make_question

DEFAULT_ADDRESS = "https://api.openai.com/v1"


class OpenAICompatibleProvider:
    """Goes on with an unfinished reply only where the agent's settings say that its server can."""

    def __init__(self, settings: ProviderSettings, limits: Limits | None = None) -> None:
        self._settings = settings
        self._limits = limits or Limits()

    @property
    def can_continue(self) -> bool:
        return self._settings.can_continue

    def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]:
        return stream_answer(lambda: self._question(prompt), CompletionReading, self._limits)

    def _question(self, prompt: Prompt) -> Question:
        key = checked_key(self._settings)
        url = endpoint(self._settings.address or DEFAULT_ADDRESS, "/chat/completions")
        body = completion_body(prompt, self._settings, url.host or "")
        return make_question(self._settings, url, body, {"Authorization": f"Bearer {key}"} if key else {})
