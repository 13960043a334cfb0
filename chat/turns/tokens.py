"""Estimates how much of a model's context a text takes: no vendor's tokeniser, the same for all, a little high."""

from __future__ import annotations

from collections.abc import Iterable

from chat.events import Asked, Prompt, Replied, Returned

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_MESSAGE = 6


def tokens_of(text: str) -> int:
    """Letters outside ASCII cost a token each in most vocabularies, or nearly so."""
    plain = sum(character < "\x80" for character in text) if len(text) < 50_000 else len(text)
    return round(plain / CHARACTERS_A_TOKEN) + (len(text) - plain)


def tokens_of_message(message: Asked | Replied | Returned) -> int:
    match message:
        case Asked(text=text):
            said = text
        case Replied(parts=parts):
            said = "".join(getattr(part, "text", "") or getattr(part, "arguments", "") for part in parts)
        case Returned(output=said):
            pass
    return TOKENS_A_MESSAGE + tokens_of(said)


def tokens_of_messages(messages: Iterable[Asked | Replied | Returned]) -> int:
    return sum(tokens_of_message(message) for message in messages)


def tokens_of_prompt(prompt: Prompt) -> int:
    told = tokens_of(prompt.system) + sum(tokens_of(str(tool)) for tool in prompt.tools)
    return told + tokens_of_messages(prompt.messages)
