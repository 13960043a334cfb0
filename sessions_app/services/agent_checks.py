"""Checks each field of an agent alone: a value that can be stored comes back, any other is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn
from urllib.parse import urlsplit

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid
from sessions_app.models import AfterInterruption

HANDLE = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
NAME_LENGTH = 60
DESCRIPTION_LENGTH = 2_000
MODEL_LENGTH = 200
ADDRESS_LENGTH = 500
KEY_LENGTH = 1_000
PROMPT_LENGTH = 32_000
FEWEST_CONTEXT_TOKENS = 512
MOST_CONTEXT_TOKENS = 10_000_000


def _text(noun: str, longest: int, *, shortest: int = 0) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        text = clean_text(value).strip() if isinstance(value, str) else None
        if text is None or not shortest <= len(text) <= longest:
            refuse(f"{noun} has {shortest} to {longest:,} characters;")
        return text

    return check


def _line(noun: str, longest: int, *, shortest: int = 0) -> Callable[[Any], str]:
    check_text = _text(noun, longest, shortest=shortest)
    return lambda value: " ".join(check_text(value).split())


def _number(noun: str, least: int, most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            refuse(f"{noun} is a whole number from {least:,} to {most:,};")
        return value

    return check


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        refuse("Yes or no is expected here;")
    return value


def _checked_handle(value: Any) -> str:
    if not isinstance(value, str) or not HANDLE.fullmatch(value):
        refuse(
            "A handle is what people write after the @: 1 to 60 small letters, digits, dashes and underscores;"
        )
    return value


def _checked_address(value: Any) -> str:
    """An address that carries no secret: it is shown, logged and audited."""
    address = _text("An address", ADDRESS_LENGTH)(value)
    if address and not _is_plain_address(address):
        refuse("An address looks like https://host.example/v1, without a user, a question mark or a #;")
    return address.rstrip("/")


def _is_plain_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    is_plain = address.isprintable() and not any(character in address for character in " @?#\\")
    return is_plain and parts.scheme in {"http", "https"} and bool(host)


def checked_key(value: str) -> str:
    """What can stand in the header of a request; a refusal never repeats it."""
    key = value.strip()
    if len(key) > KEY_LENGTH or not key.isascii() or not key.isprintable() or " " in key:
        refuse(f"A key has at most {KEY_LENGTH:,} characters without blanks and accents;")
    return key


def _checked_interruption(value: Any) -> str:
    if value not in AfterInterruption.values:
        refuse(f"After an interruption an agent can {' or '.join(AfterInterruption.values)};")
    return str(value)


def _checked_tools(value: Any) -> list[str] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        refuse("Tools are a list of their names;")
    return sorted(set(value))


def refuse(sentence: str) -> NoReturn:
    raise Invalid(f"{sentence} nothing was changed.")


CHECKS: dict[str, Callable[[Any], Any]] = {
    "name": _line("A name", NAME_LENGTH, shortest=1),
    "handle": _checked_handle,
    "description": _text("A description", DESCRIPTION_LENGTH),
    "provider": _line("A provider's name", 40, shortest=1),
    "model": _line("A model's name", MODEL_LENGTH),
    "address": _checked_address,
    "system_prompt": _text("A system prompt", PROMPT_LENGTH),
    "context_limit": _number("A context limit", FEWEST_CONTEXT_TOKENS, MOST_CONTEXT_TOKENS),
    "most_output_tokens": _number("The most tokens of an answer", 1, MOST_CONTEXT_TOKENS),
    "can_continue": _yes_or_no,
    "after_interruption": _checked_interruption,
    "tools": _checked_tools,
    "is_active": _yes_or_no,
}
