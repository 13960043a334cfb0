"""How full an agent's context is, for the meter below the composer."""

from __future__ import annotations

from dataclasses import dataclass

from chat.turns.compaction import FULL_SHARE
from chat.turns.history import context_now
from sessions_app.models import Conversation

NEARLY = 0.9  # of the share from which a summary is made


@dataclass(frozen=True)
class ContextSize:
    """Tokens, roughly: what the agent would be sent now, of what it can take."""

    used: int
    limit: int

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.used / self.limit))

    @property
    def is_near_compaction(self) -> bool:
        return self.used >= self.limit * FULL_SHARE * NEARLY


def context_size(conversation: Conversation) -> ContextSize | None:
    """None where nobody answers."""
    context = context_now(conversation)
    return ContextSize(context.tokens, max(1, context.limit)) if context else None
