"""Checks what people set of a tool server: a value that can be stored comes back, any other is refused."""

from __future__ import annotations

import re
from typing import Any

from sessions_app.models.tool_server import NAME_LENGTH
from sessions_app.services.agent_checks import CHECKS, checked_key, refuse

# No “__”, which stands between the name of a server and that of its tool, and none that could become one.
NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
# How programs that start tool servers write a value of their environment.
PLACEHOLDER = re.compile(r"\$[({A-Za-z_]|\{\{|%\w+%")


def checked_name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > NAME_LENGTH or not NAME.fullmatch(value):
        refuse(
            f"A tool server's name begins the names of its tools: 1 to {NAME_LENGTH} small letters and digits, "
            "with single dashes or underscores between them;"
        )
    return value


def checked_server_address(value: Any) -> str:
    """Asked as it is written, and over HTTP: nothing is filled in, no program is started."""
    text = value.strip() if isinstance(value, str) else ""
    if PLACEHOLDER.search(text):
        refuse("An address is used as it is written, and nothing of the environment is filled in;")
    if text and "://" not in text:
        refuse(
            "A tool server is asked over HTTP, at an address such as https://host.example/mcp; "
            "a command is never started from here;"
        )
    address: str = CHECKS["address"](text)
    if not address:
        refuse("A tool server needs an address such as https://host.example/mcp;")
    return address


def checked_server_key(value: str) -> str:
    if PLACEHOLDER.search(value):
        refuse("A key is used as it is written, and nothing of the environment is filled in;")
    return checked_key(value)
