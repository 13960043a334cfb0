"""What can go wrong between us and a tool server, each in one sentence for people and models."""

from __future__ import annotations

import aiohttp

from chat.network.connector import HostRefused
from chat.providers import failures
from chat.providers.refusals import HIDDEN, SHORTEST_KEY, quoted


class ToolServerFailure(Exception):
    """Ends a look or a call; its sentence holds no secret."""


PERHAPS = "Whether the tool did something is not known."


def unreachable(host: str, error: aiohttp.ClientError) -> str:
    return str(error) if isinstance(error, HostRefused) else failures.unreachable(host, error).sentence


def status(host: str, number: int) -> str:
    if 300 <= number < 400:
        return f"{host} points to another address, which is not followed; give the tool server that one."
    if number in (401, 403):
        return f"{host} did not accept the tool server's key ({number})."
    if number in (404, 405):
        return f"{host} knows no tool server at this address ({number})."
    if number == 429:
        return f"{host} takes no more calls at the moment (429)."
    return f"{host} {'has trouble of its own' if number >= 500 else 'refused the request'} ({number})."


def no_tool_server(host: str) -> str:
    return f"{host} answered with something that no tool server says; check the address."


def unreadable(host: str) -> str:
    return f"{host} sent something that cannot be read."


def too_much(host: str, most: int) -> str:
    return f"{host} answered with more than {most // 1024 // 1024} MB, so its answer was not read."


def cut_off(host: str) -> str:
    return f"The connection to {host} broke off before the answer was complete."


def no_answer_in_time(host: str, seconds: float) -> str:
    return f"{host} gave no answer within {seconds:g} s and was given up."


def said(host: str, message: str, key: str) -> str:
    return f"{host} refused{quoted(message, key)}"


def without_key(text: str, key: str) -> str:
    """What a server says, should it repeat the key that it was sent."""
    return text.replace(key, HIDDEN) if len(key) >= SHORTEST_KEY else text
