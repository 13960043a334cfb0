"""Tools that nobody should have: one that acts and dies, one that never answers, one that answers with 50 MB."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from chat.turns.tools import TOOLS as REGISTERED
from chat.turns.tools import ToolContext
from chat.turns.tools.base import tool
from chat.turns.tools.signature import Hint
from tests.crash.faults.kills import die

FLOOD_CHARACTERS = 50 * 1024 * 1024
HANG_SECONDS = 1.0


def tool_that_acts(file: str, *, dies: bool = False) -> None:
    """Adds a line to the file each time it is called. A second call would be a second effect."""

    def act(context: ToolContext, line: Annotated[str, Hint("What to add.")]) -> str:
        with Path(file).open("a", encoding="utf-8") as acted:
            acted.write(f"{line}\n")
        if dies:
            die()
        return "done"

    REGISTERED["act"] = tool("act", "Adds a line.", act, is_idempotent=False, seconds=30)


def tool_that_acts_and_dies(file: str) -> None:
    """The effect is there, the record is not."""
    tool_that_acts(file, dies=True)


def tool_that_hangs(_: object) -> None:
    def hang(context: ToolContext) -> str:
        threading.Event().wait()
        return "never"

    REGISTERED["hang"] = tool("hang", "Never answers.", hang, is_idempotent=False, seconds=HANG_SECONDS)


def tool_that_floods(_: object) -> None:
    def flood(context: ToolContext) -> str:
        return "x" * FLOOD_CHARACTERS

    REGISTERED["flood"] = tool("flood", "Answers with 50 MB.", flood, is_idempotent=True, seconds=30)


TOOLS: dict[str, Callable[[Any], None]] = {
    "tool_that_acts": tool_that_acts,
    "tool_that_acts_and_dies": tool_that_acts_and_dies,
    "tool_that_hangs": tool_that_hangs,
    "tool_that_floods": tool_that_floods,
}
