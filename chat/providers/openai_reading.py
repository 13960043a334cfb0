"""Reads the events of a chat completion: text, reasoning, tool calls, usage and the end."""

from __future__ import annotations

from collections.abc import Iterator

from chat.events import AgentEvent, Finished, FinishReason, Reasoning, Text, Usage
from chat.providers import failures
from chat.providers.openai_tool_calls import CallAssembly
from chat.providers.pieces import PieceJoiner
from chat.providers.question import Question
from chat.providers.refusals import is_passing, message_of, quoted
from chat.providers.shapes import Misshapen, as_list, as_object, as_text, parsed
from chat.providers.sse import ServerSentEvent

DONE = "[DONE]"
# Servers have words of their own besides OpenAI's four. One that is not here means that the answer broke off.
FINISH_REASONS = {
    "": FinishReason.STOP,
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "model_length": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "tool_use": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.REFUSED,
    "refusal": FinishReason.REFUSED,
    "safety": FinishReason.REFUSED,
}
# An answer that ends at its limit, or is refused, gives no tool call: the last one may be half.
ENDS_WITH_CALLS = {FinishReason.STOP, FinishReason.TOOL_CALLS}


class CompletionReading:
    """The answer is done when the server names a finish reason or says [DONE]; without either it was cut.

    An event that cannot be read ends the answer before it: it may have carried a word, and an answer with a
    hole must not look whole. A repeated event cannot be told from a model that repeats itself, so it is
    taken as it was sent; the end and the tool calls are given once.
    """

    def __init__(self, question: Question) -> None:
        self.is_complete = False
        self._question = question
        self._finish_reason = ""
        self._usage: Usage | None = None
        self._calls = CallAssembly()
        self._text = PieceJoiner()
        self._reasoning = PieceJoiner()

    @property
    def is_finishing(self) -> bool:
        return bool(self._finish_reason)

    def read(self, event: ServerSentEvent) -> Iterator[AgentEvent]:
        if self.is_complete or event.data.startswith(DONE):
            self.is_complete = True
            return
        chunk = as_object(parsed(event.data))
        if choices := chunk.get("choices"):
            yield from self._read_choice(as_object(as_list(choices)[0]))
        if usage := chunk.get("usage"):
            self._usage = usage_in(as_object(usage))
        if error := chunk.get("error") or (event.name == "error" and chunk):
            quote = quoted(message_of(error), self._question.key)
            raise failures.gave_up(self._question.host, quote, is_passing=is_passing(error))

    def conclude(self) -> Iterator[AgentEvent]:
        reason = self._reason()
        calls = list(self._calls.calls()) if reason in ENDS_WITH_CALLS else []
        if not all(call.name for call in calls):
            raise Misshapen
        if rest := self._text.rest():
            yield Text(rest)
        yield from calls
        if reason in ENDS_WITH_CALLS:
            reason = FinishReason.TOOL_CALLS if calls else FinishReason.STOP
        yield Finished(reason, self._usage)

    def _reason(self) -> FinishReason:
        """A server that says [DONE] but no reason is believed, unless a tool call of its is only half there."""
        is_whole = self._finish_reason or (self.is_complete and self._calls.are_whole())
        if not is_whole:
            raise failures.cut_off(self._question.host)
        reason = FINISH_REASONS.get(self._finish_reason)
        if reason is None:
            raise failures.ended_early(self._question.host, quoted(self._finish_reason, self._question.key))
        return reason

    def _read_choice(self, choice: dict[str, object]) -> Iterator[AgentEvent]:
        delta = choice.get("delta")
        if delta:
            yield from self._read_delta(as_object(delta))
        if reason := choice.get("finish_reason"):
            self._finish_reason = as_text(reason)

    def _read_delta(self, delta: dict[str, object]) -> Iterator[AgentEvent]:
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if reasoning and (joined := self._reasoning.join(as_text(reasoning))):
            yield Reasoning(joined)
        content = delta.get("content") or delta.get("refusal")
        if isinstance(content, list):
            yield from self._read_parts(content)
        elif content and (joined := self._text.join(as_text(content))):
            yield Text(joined)
        if calls := delta.get("tool_calls"):
            for piece in as_list(calls):
                self._calls.add(as_object(piece))

    def _read_parts(self, parts: list[object]) -> Iterator[AgentEvent]:
        """Mistral's reasoning models say their content in parts, and their reasoning in parts of parts."""
        for part in map(as_object, parts):
            thinking = part.get("thinking")
            if isinstance(thinking, list):
                yield from (Reasoning(as_text(piece.get("text"))) for piece in map(as_object, thinking))
            elif part.get("text"):
                yield Text(self._text.join(as_text(part["text"])))


def usage_in(usage: dict[str, object]) -> Usage:
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(count if isinstance(count, int) else 0 for count in counts))
