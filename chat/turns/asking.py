"""Asks an agent something beside the conversation: its answer is collected, and never shown as a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import structlog

from chat.events import AgentEvent, Asked, Failed, Finished, Prompt, Text
from chat.providers.base import Provider

log = structlog.get_logger(__name__)


async def ask_beside(
    provider: Provider, prompt: Prompt, question: str, *, characters: int, seconds: float
) -> str:
    """The words of the answer, cut to a length; empty where the agent failed or took too long."""
    asked = Prompt((*prompt.messages, Asked(question)), system=prompt.system)
    words: list[str] = []
    try:
        async with asyncio.timeout(seconds):
            async with aclosing(cast("AsyncGenerator[AgentEvent]", provider.stream(asked))) as events:
                async for event in events:
                    match event:
                        case Text(text=text):
                            words.append(text)
                        case Finished():
                            break
                        case Failed():
                            return ""
    except TimeoutError:
        return ""
    except Exception:
        log.exception("provider_broke")
        return ""
    return "".join(words).strip()[:characters]
