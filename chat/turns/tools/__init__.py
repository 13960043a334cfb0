"""What agents can do besides writing: tools with a typed signature, limits and a plain word when they fail."""

from chat.turns.tools.base import Tool, ToolContext, ToolOutcome
from chat.turns.tools.calling import ARGUMENT_CHARACTERS, OUTPUT_CHARACTERS, call_tool
from chat.turns.tools.registry import CALLS_PER_TURN, TOOLS, idempotent_names, specs

__all__ = [
    "ARGUMENT_CHARACTERS",
    "CALLS_PER_TURN",
    "OUTPUT_CHARACTERS",
    "TOOLS",
    "Tool",
    "ToolContext",
    "ToolOutcome",
    "call_tool",
    "idempotent_names",
    "specs",
]
