"""How the demo agent uses the tools it is offered, and what it says about them."""

from __future__ import annotations

import json
import re

from chat.events import Returned, ToolCall, ToolSpec
from chat.providers.demo.wishes import Call

MOST_SHOWN_CHARACTERS = 600
# What a tool that wants something is given when nobody said what.
USUAL_ARGUMENTS = {"expression": "6 * 7"}
USUAL_ARGUMENT = "kelp"


def calls_to_make(wanted: tuple[Call, ...], tools: tuple[ToolSpec, ...]) -> tuple[Call, ...]:
    """Those of the wanted calls for which a tool is offered."""
    return tuple(call for call in wanted if find_tool(call.name, tools))


def find_tool(name: str, tools: tuple[ToolSpec, ...]) -> ToolSpec | None:
    """The tool of that name, else the first whose name contains it; any tool when none is named."""
    wanted = name.lower()
    exact = (tool for tool in tools if tool.name.lower() == wanted)
    return next(exact, next((tool for tool in tools if wanted in tool.name.lower()), None))


def make_call(call: Call, tools: tuple[ToolSpec, ...], *, number: int) -> ToolCall:
    """The call in the words of a tool that is offered; its id follows from how many there were before."""
    tool = find_tool(call.name, tools)
    if tool is None:
        raise LookupError(f"No tool called {call.name!r} is offered.")
    arguments = json.dumps(_arguments(call, tool), ensure_ascii=False)
    return ToolCall(id=f"call_{number}", name=tool.name, arguments=arguments)


def announce(wanted: tuple[Call, ...], number: int, tools: tuple[ToolSpec, ...]) -> str:
    """What is said before the call with that number, or instead of it where its tool is not offered."""
    calls = calls_to_make(wanted, tools)
    if not calls:
        return _not_offered(wanted[0].name, tools)
    tool = find_tool(calls[number].name, tools)
    count = f" (call {number + 1} of {len(calls)})" if len(calls) > 1 else ""
    return f"I ask the tool `{tool.name if tool else ''}`{count}."


def talk_about(result: Returned) -> str:
    """What is said about a result: its beginning, as the tool gave it."""
    shown = result.output[:MOST_SHOWN_CHARACTERS]
    rest = "\n…" if len(result.output) > MOST_SHOWN_CHARACTERS else ""
    ticks = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, ticks + 1)
    verb = "could not do it" if result.is_error else "answered"
    return f"The tool `{result.name}` {verb}:\n\n{fence}text\n{shown}{rest}\n{fence}\n\n"


def _not_offered(name: str, tools: tuple[ToolSpec, ...]) -> str:
    offered = ", ".join(f"`{tool.name}`" for tool in tools) or "none at all"
    wanted = f"a tool called `{name}`" if name else "any tool"
    return f"I was not given {wanted}. What I may use here: {offered}."


def _arguments(call: Call, tool: ToolSpec) -> dict[str, object]:
    """Everything after the tool's name is its first argument; a JSON object is all of them."""
    if call.argument.startswith("{") and (given := _json_object(call.argument)) is not None:
        return given
    names = _argument_names(tool)
    if not names:
        return {}
    if call.argument:
        return {names[0]: call.argument}
    required = tool.parameters.get("required")
    wanted = [name for name in names if isinstance(required, list) and name in required]
    return {name: USUAL_ARGUMENTS.get(name, USUAL_ARGUMENT) for name in wanted}


def _json_object(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _argument_names(tool: ToolSpec) -> list[str]:
    properties = tool.parameters.get("properties")
    return list(properties) if isinstance(properties, dict) else []
