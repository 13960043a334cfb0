"""One round of an agent: streams what it says into the journal, and gathers how it ended."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import assert_never, cast

import structlog

from chat.events import (
    AgentEvent,
    Failed,
    Finished,
    FinishReason,
    Prompt,
    Reasoning,
    Replied,
    Text,
    ToolCall,
    Usage,
)
from chat.metrics import PIECES
from chat.providers.base import Provider
from chat.turns.stream import Stream
from sessions_app.errors import HoldfastError

NO_END = "The agent's answer ended without saying so; what came is kept."
DEFECT = "Something went wrong while the agent answered; what came is kept."
# How an answer can end that is whole, and still not what was hoped for.
REMARKS = {
    FinishReason.LENGTH: "The answer ended at its length limit.",
    FinishReason.REFUSED: "The agent declined to answer.",
}

log = structlog.get_logger(__name__)


@dataclass
class Round:
    """What a round came to: calls to make, or an end, of which a remark may say something."""

    used_ids: set[str] = field(default_factory=set)
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage | None = None
    failure: str = ""
    remark: str = ""

    def add_call(self, call: ToolCall) -> ToolCall:
        """The call under an id of its own: some servers count the calls of each answer anew, and a result belongs
        to one call."""
        ids = itertools.chain([call.id], (f"{call.id}-{number}" for number in itertools.count(2)))
        call = replace(call, id=next(each for each in ids if each not in self.used_ids))
        self.used_ids.add(call.id)
        self.calls.append(call)
        return call


async def run_round(provider: Provider, prompt: Prompt, stream: Stream) -> Round:
    """Adds every piece to the stream as it comes; waits for the disk when too much waits for it."""
    outcome, end = Round(used_ids=_call_ids(prompt)), None
    try:
        async with aclosing(cast("AsyncGenerator[AgentEvent]", provider.stream(prompt))) as events:
            async for event in events:
                end = _take(event, stream, outcome)
                if stream.is_full:
                    await stream.committed()
                if end is not None:
                    break
    except HoldfastError:
        raise
    except Exception:
        log.exception("provider_broke")
        end = Failed(DEFECT)
    if not isinstance(end, Finished):
        outcome.failure = end.sentence if end else NO_END
    return outcome


def _take(event: AgentEvent, stream: Stream, outcome: Round) -> Finished | Failed | None:
    match event:
        case Text(text=text):
            stream.add("text", text=text)
            PIECES.inc()
        case Reasoning(text=text, signature=""):
            stream.add("reasoning", text=text)
            PIECES.inc()
        case Reasoning(text=text, signature=signature):
            stream.add("reasoning", text=text, signature=signature)
        case ToolCall():
            call = outcome.add_call(event)
            stream.add("tool_call", id=call.id, name=call.name, arguments=call.arguments)
        case Finished(usage=usage, reason=reason):
            outcome.usage, outcome.remark = usage, REMARKS.get(reason, "")
            return event
        case Failed():
            return event
        case _:
            assert_never(event)
    return None


def _call_ids(prompt: Prompt) -> set[str]:
    replies = (message for message in prompt.messages if isinstance(message, Replied))
    return {part.id for reply in replies for part in reply.parts if isinstance(part, ToolCall)}
