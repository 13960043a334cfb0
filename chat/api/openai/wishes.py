"""Reads what a client of OpenAI's protocol wants, and refuses by name what this door cannot do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chat.api.openai.base import Unsupported
from chat.exchanges import Said

MOST_MESSAGES = 10_000
SYSTEM, SPOKEN = ("system", "developer"), ("user", "assistant")
TOOLS = "The agent's own tools run here and a client's cannot; leave this out. Nothing was sent."


@dataclass(frozen=True)
class Wish:
    model: str
    said: Said
    streams: bool
    with_usage: bool


def read_wish(body: Any) -> Wish:
    if not isinstance(body, dict):
        raise Unsupported("Send a JSON object.", "body")
    _refuse_what_cannot_be(body)
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise Unsupported("Name an agent of yours as the model.", "model")
    options = body.get("stream_options")
    with_usage = isinstance(options, dict) and options.get("include_usage") is True
    return Wish(model, _said(body.get("messages")), body.get("stream") is True, with_usage)


def _refuse_what_cannot_be(body: dict[str, Any]) -> None:
    for name in ("tools", "functions"):
        if body.get(name):
            raise Unsupported(TOOLS, name)
    if body.get("n") not in (None, 1):
        raise Unsupported("One reply at a time; leave “n” out. Nothing was sent.", "n")
    if body.get("logprobs"):
        raise Unsupported("There are no logprobs here; leave this out. Nothing was sent.", "logprobs")
    form = body.get("response_format")
    if form is not None and form != {"type": "text"}:
        raise Unsupported("Agents answer in text alone. Nothing was sent.", "response_format")
    if body.get("modalities") not in (None, ["text"]):
        raise Unsupported("Agents answer in text alone. Nothing was sent.", "modalities")


def _said(messages: Any) -> Said:
    """What follows the last reply is the question; several messages there are one, with a blank line between."""
    if not isinstance(messages, list) or not 0 < len(messages) <= MOST_MESSAGES:
        raise Unsupported(f"Send a list of 1 to {MOST_MESSAGES} messages.", "messages")
    pairs = [_pair(message, f"messages[{number}]") for number, message in enumerate(messages)]
    spoken = _joined([pair for pair in pairs if pair[0] in SPOKEN])
    if not spoken or spoken[-1][0] != "user":
        raise Unsupported("The last message must be the user's; nothing was sent.", "messages")
    system = "\n\n".join(text for role, text in pairs if role in SYSTEM)
    return Said(system, tuple(spoken[:-1]), spoken[-1][1])


def _joined(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for role, text in pairs:
        if found and found[-1][0] == role:
            found[-1] = (role, f"{found[-1][1]}\n\n{text}")
        else:
            found.append((role, text))
    return found


def _pair(message: Any, where: str) -> tuple[str, str]:
    role = message.get("role") if isinstance(message, dict) else None
    if role in ("tool", "function") or (isinstance(message, dict) and message.get("tool_calls")):
        raise Unsupported(TOOLS, where)
    if role not in (*SYSTEM, *SPOKEN):
        raise Unsupported("A message's role is system, developer, user or assistant.", f"{where}.role")
    return role, _text(message.get("content"), role, f"{where}.content")


def _text(content: Any, role: str, where: str) -> str:
    if content is None and role == "assistant":
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise Unsupported("Content is a text or a list of text parts; nothing was sent.", where)
    return "".join(_part(part, where) for part in content)


def _part(part: Any, where: str) -> str:
    text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None
    if not isinstance(text, str):
        raise Unsupported("Agents here read text alone, no images, sound or files; nothing was sent.", where)
    return text
