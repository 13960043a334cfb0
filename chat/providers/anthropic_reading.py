"""Reads the events of Anthropic's messages interface: content, usage and the end."""

from __future__ import annotations

from collections.abc import Iterator

from chat.events import AgentEvent, Finished, FinishReason, Text, Usage
from chat.providers import failures
from chat.providers.anthropic_blocks import Blocks
from chat.providers.question import Question
from chat.providers.refusals import is_passing, message_of, quoted
from chat.providers.shapes import Misshapen, as_object, as_text, parsed, text_or_nothing
from chat.providers.sse import ServerSentEvent

STOP_REASONS = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "pause_turn": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALLS,
    "refusal": FinishReason.REFUSED,
}
INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class MessageReading:
    """The answer is done when Anthropic names a stop reason; without one it was cut.

    Tool calls are given at the end, and only by an answer that stopped for them: one that ends at its limit
    may hold half a call. A message that begins twice is a stream that repeats itself, and is refused.
    """

    def __init__(self, question: Question) -> None:
        self.is_complete = False
        self._question = question
        self._has_begun = False
        self._stop_reason = ""
        self._counts: dict[str, int] = {}
        self._blocks = Blocks()

    @property
    def is_finishing(self) -> bool:
        return bool(self._stop_reason)

    def read(self, event: ServerSentEvent) -> Iterator[AgentEvent]:
        if self.is_complete:
            return
        data = as_object(parsed(event.data))
        kind = as_text(data.get("type"))
        if kind.startswith("content_block_"):
            yield from self._blocks.read(data)
        else:
            self._note(kind, data)

    def conclude(self) -> Iterator[AgentEvent]:
        reason = self._reason()
        if rest := self._blocks.rest():
            yield Text(rest)
        if reason is FinishReason.TOOL_CALLS:
            yield from self._blocks.calls()
        yield Finished(reason, self._usage())

    def _note(self, kind: str, data: dict[str, object]) -> None:
        """An event of an unknown kind is passed over, as Anthropic asks: it may add some."""
        match kind:
            case "message_start":
                self._begin(as_object(data.get("message")))
            case "message_delta":
                self._count(data.get("usage"))
                reason = as_object(data.get("delta")).get("stop_reason")
                self._stop_reason = text_or_nothing(reason) or self._stop_reason
            case "message_stop":
                self.is_complete = True
            case "error":
                error = data.get("error")
                quote = quoted(message_of(error), self._question.key)
                raise failures.gave_up(self._question.host, quote, is_passing=is_passing(error))

    def _begin(self, message: dict[str, object]) -> None:
        if self._has_begun:
            raise Misshapen
        self._has_begun = True
        self._count(message.get("usage"))

    def _count(self, usage: object) -> None:
        """Later counts take the place of earlier ones: they are totals."""
        for name, count in as_object(usage or {}).items():
            if isinstance(count, int):
                self._counts[name] = count

    def _reason(self) -> FinishReason:
        if not self._stop_reason:
            raise failures.cut_off(self._question.host)
        reason = STOP_REASONS.get(self._stop_reason)
        if reason is None:
            raise failures.ended_early(self._question.host, quoted(self._stop_reason, self._question.key))
        return reason

    def _usage(self) -> Usage:
        spent = sum(self._counts.get(name, 0) for name in INPUT_COUNTS)
        return Usage(spent, self._counts.get("output_tokens", 0))
