"""The protocol every provider speaks: a prompt in, a stream of events out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from chat.events import AgentEvent, Prompt


@dataclass(frozen=True)
class ProviderSettings:
    """What an agent's row says about its provider. `key` is a secret: it is in no repr and in no error."""

    model: str = ""
    address: str = ""
    key: str = ""
    can_continue: bool = False
    most_output_tokens: int = 4096

    def __repr__(self) -> str:
        return f"ProviderSettings(model={self.model!r}, address={self.address!r})"


class Provider(Protocol):
    """One agent's line to its vendor.

    `stream` ends with exactly one `Finished` or `Failed`; whatever goes wrong is the latter, never an
    exception. Closing the iterator early closes the connection at once. `can_continue` says that an
    unfinished reply may be handed back and will be gone on with after its exact text.
    """

    @property
    def can_continue(self) -> bool: ...

    def stream(self, prompt: Prompt) -> AsyncIterator[AgentEvent]: ...
