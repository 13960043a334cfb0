"""What the emitter is to emit. The name of an agent's model carries it, so it comes with every question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

Step = tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """`streams` that begin together, when all of them were asked for. Each step is (tokens a second, seconds),
    where the tokens are those of all streams together.

    With `calls` each stream ends that often in a tool call, and the same again follows when it was answered.
    """

    name: str
    streams: int
    steps: tuple[Step, ...]
    calls: int = 0

    @property
    def tokens_of_a_round(self) -> int:
        """Of each stream, up to a tool call or to the end."""
        return int(sum(rate * seconds for rate, seconds in self.steps)) // self.streams

    @property
    def tokens(self) -> int:
        """Of each stream."""
        return self.tokens_of_a_round * (self.calls + 1)

    def due(self, elapsed: float) -> int:
        """How many tokens of all streams together are to be emitted by then, in this round."""
        due = 0.0
        for rate, seconds in self.steps:
            due += rate * min(seconds, elapsed)
            elapsed -= seconds
            if elapsed <= 0:
                break
        return min(int(due) + 1, self.tokens_of_a_round * self.streams)

    @property
    def model(self) -> str:
        return "bench " + json.dumps([self.name, self.streams, self.steps, self.calls], separators=(",", ":"))

    @classmethod
    def of(cls, model: str) -> Plan:
        name, streams, steps, calls = json.loads(model.removeprefix("bench "))
        return cls(name, streams, tuple((rate, seconds) for rate, seconds in steps), calls)


def question(plan: Plan) -> dict[str, Any]:
    """The body that a reader without Holdfast asks with."""
    return {"model": plan.model, "stream": True, "messages": [{"role": "user", "content": "Go."}]}
