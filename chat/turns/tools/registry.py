"""Which tools there are, and which of them an agent is told of."""

from __future__ import annotations

from collections.abc import Iterable

from chat.events import ToolSpec
from chat.turns.tools import calculator, checkpoints, clock, search

CALLS_PER_TURN = 25

TOOLS = {tool.name: tool for tool in (clock.TOOL, calculator.TOOL, search.TOOL, checkpoints.TOOL)}


def specs(names: Iterable[str] | None = None) -> tuple[ToolSpec, ...]:
    """The tools as a model is told of them; None is all, and a name that no longer exists is passed over."""
    chosen = TOOLS if names is None else [name for name in names if name in TOOLS]
    return tuple(ToolSpec(name, TOOLS[name].description, TOOLS[name].schema) for name in chosen)


def idempotent_names() -> frozenset[str]:
    """The tools that recovery may call again when it cannot know whether they ran."""
    return frozenset(name for name, tool in TOOLS.items() if tool.is_idempotent)
