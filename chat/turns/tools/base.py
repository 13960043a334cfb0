"""What a tool is: a plain function whose typed signature tells the model how to call it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.events import ToolSpec
from chat.turns.tools.signature import Parameter, arguments_for, parameters_of, schema_of
from sessions_app.models import Agent, Conversation, Session


@dataclass(frozen=True)
class RemoteTool:
    """A tool as its server described it when the reply was begun."""

    spec: ToolSpec
    remote_name: str
    server_id: int
    server_name: str
    may_be_repeated: bool


@dataclass(frozen=True)
class ToolContext:
    """Where a tool is called: it sees this conversation and nothing else. `offered` names the tools the agent
    was told of, and no other is run for it; None is every one of our own. `remote` are those of tool servers,
    which see nothing but what they are called with."""

    conversation: Conversation
    session: Session
    offered: Collection[str] | None = None
    agent: Agent | None = None
    remote: Mapping[str, RemoteTool] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolOutcome:
    """What a call came to: `status` is "ok" or "error", and `output` is for the model and for people."""

    status: str
    output: str

    @property
    def is_error(self) -> bool:
        return self.status != "ok"


class ToolFailure(Exception):
    """A tool cannot do what it was asked; its text says why, to the model."""


@dataclass(frozen=True)
class Tool:
    """`is_idempotent` says that a second call after a crash does no harm. `seconds` is how long the runner waits:
    a thread cannot be ended from outside, so a tool also bounds its own work."""

    name: str
    description: str
    function: Callable[..., str]
    parameters: tuple[Parameter, ...]
    is_idempotent: bool
    seconds: float

    @property
    def schema(self) -> dict[str, object]:
        return schema_of(self.parameters)

    def run(self, arguments: dict[str, Any], context: ToolContext) -> str:
        """Calls the function with checked arguments; raises WrongArguments or ToolFailure with a sentence."""
        return self.function(context, **arguments_for(self.parameters, arguments))


def tool(
    name: str, description: str, function: Callable[..., str], *, is_idempotent: bool, seconds: float
) -> Tool:
    """A tool from a function whose first parameter is the context and whose others are the model's."""
    return Tool(name, description, function, parameters_of(function), is_idempotent, seconds)
