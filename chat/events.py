"""What an agent says while it answers, and what it is told first: frozen facts without any vendor's words."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Reasoning:
    """`signature` is what some vendors need to accept their own reasoning again; it comes with the last piece."""

    text: str
    signature: str = ""


@dataclass(frozen=True)
class ToolCall:
    """A call that has arrived whole. `arguments` is JSON text as the model wrote it, valid or not."""

    id: str
    name: str
    arguments: str


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    REFUSED = "refused"


@dataclass(frozen=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Finished:
    """The vendor said that it is done. A stream that merely ends is `Failed`, never this."""

    reason: FinishReason = FinishReason.STOP
    usage: Usage | None = None


@dataclass(frozen=True)
class Failed:
    """`sentence` is for people: what happened, in plain words, without keys or addresses with secrets.

    `is_passing` says that trying again may help; `retry_after_seconds` is what the vendor asked for.
    """

    sentence: str
    is_passing: bool = False
    retry_after_seconds: float | None = None


AgentEvent = Text | Reasoning | ToolCall | Finished | Failed


@dataclass(frozen=True)
class Asked:
    """What a person wrote. `name` is who, for conversations of several people."""

    text: str
    name: str = ""


@dataclass(frozen=True)
class Replied:
    """What the agent said before, in its order."""

    parts: tuple[Text | Reasoning | ToolCall, ...]


@dataclass(frozen=True)
class Returned:
    """What a tool gave back for the call with this id."""

    id: str
    name: str
    output: str
    is_error: bool = False


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a model is told of it; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: dict[str, object] = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True)
class Prompt:
    """All that an agent is sent. With `continues` the last message is its own unfinished reply, and what it
    says next follows that reply's exact text."""

    messages: tuple[Asked | Replied | Returned, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    continues: bool = False
