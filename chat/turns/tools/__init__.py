"""What agents can do besides writing: tools with a typed signature, limits and a plain word when they fail."""

from chat.turns.tools.base import RemoteTool, Tool, ToolContext, ToolOutcome
from chat.turns.tools.calling import ARGUMENT_CHARACTERS, OUTPUT_CHARACTERS, call_tool
from chat.turns.tools.registry import CALLS_PER_TURN, TOOLS, idempotent_names, specs
from chat.turns.tools.remote import call_remote, remote_tools, repeatable_names

__all__ = [
    "ARGUMENT_CHARACTERS",
    "CALLS_PER_TURN",
    "OUTPUT_CHARACTERS",
    "TOOLS",
    "RemoteTool",
    "Tool",
    "ToolContext",
    "ToolOutcome",
    "call_remote",
    "call_tool",
    "idempotent_names",
    "remote_tools",
    "repeatable_names",
    "specs",
]
