"""Calls a tool for a model: whatever goes wrong comes back as a sentence, never as an exception."""

from __future__ import annotations

import json
from typing import Any

import structlog

from chat.turns.tools.base import ToolContext, ToolFailure, ToolOutcome
from chat.turns.tools.registry import TOOLS
from chat.turns.tools.signature import WrongArguments
from sessions_app.canonical import clean_text
from sessions_app.errors import HoldfastError

OUTPUT_CHARACTERS = 50_000
ARGUMENT_CHARACTERS = 20_000
CUT = "\n[Cut here: {more:,} more characters.]"

log = structlog.get_logger(__name__)


def call_tool(name: str, arguments: str, context: ToolContext) -> ToolOutcome:
    """What the call came to. `arguments` is JSON text as the model wrote it, valid or not."""
    offered = [each for each in TOOLS if context.offered is None or each in context.offered]
    if name not in offered:
        there_is = ", ".join([*offered, *context.remote]) or "none"
        return _error(f"There is no tool called “{name[:60]}”; there is {there_is}.")
    try:
        return ToolOutcome("ok", cut(clean_text(TOOLS[name].run(parsed(arguments), context))))
    except WrongArguments as error:
        return _error(f"{error} Nothing was done.")
    except (ToolFailure, HoldfastError) as error:
        return _error(str(error))
    except Exception:
        log.exception("a tool failed", tool=name)
        return _error("The tool failed for a reason of its own; the server's log has the details.")


def cut(output: str) -> str:
    """At most OUTPUT_CHARACTERS, with a mark that says how much is missing."""
    if len(output) <= OUTPUT_CHARACTERS:
        return output
    kept = OUTPUT_CHARACTERS - len(CUT.format(more=len(output)))
    return output[:kept] + CUT.format(more=len(output) - kept)


def parsed(arguments: str) -> dict[str, Any]:
    """An empty text counts as no arguments: that is how some models call a tool without parameters."""
    if len(arguments) > ARGUMENT_CHARACTERS:
        raise WrongArguments(f"The arguments are longer than {ARGUMENT_CHARACTERS:,} characters.")
    try:
        found = json.loads(arguments or "{}", parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise WrongArguments("The arguments are not valid JSON.") from error
    if not isinstance(found, dict):
        raise WrongArguments("The arguments must be a JSON object.")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _error(sentence: str) -> ToolOutcome:
    return ToolOutcome("error", cut(clean_text(sentence)))
