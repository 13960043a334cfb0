"""One turn's way into the journal: what its agent says is added here, and is seen when it has been committed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sessions_app.canonical import canonical_json, canonical_text
from sessions_app.errors import HoldfastError, StaleEpoch
from sessions_app.services.turn_lease import Lease

# How much of one turn may wait for the disk before its provider has to wait too.
FULL_CHARACTERS = 32 * 1024

JOINED_KINDS = ("text", "reasoning")


class NotSaved(HoldfastError):
    code = "not_saved"
    sentence = "The database refused a part of this reply, so it ends here; what was saved is safe."


@dataclass
class Entry:
    """An event before it is written. Adjacent text that waits together becomes one."""

    kind: str
    payload: dict[str, Any]
    pieces: list[str] = field(default_factory=list)

    @property
    def characters(self) -> int:
        return sum(map(len, self.pieces)) + len(self.payload.get("text", ""))

    @property
    def encoded(self) -> tuple[str, str]:
        if self.pieces:
            return self.kind, canonical_text("".join(self.pieces))
        return self.kind, canonical_json(self.payload)


class Stream:
    """Used on the event loop alone; the writer takes what waits through `take`, on the loop as well."""

    def __init__(
        self, lease: Lease, *, session: str, message: str, last_seq: int, wake: Callable[[Stream], None]
    ) -> None:
        self.lease, self.session, self.message = lease, session, message
        self.last_seq = last_seq
        self._wake = wake
        self._waiting: list[Entry] = []
        self._characters = 0
        self._settled = asyncio.Event()
        self._settled.set()
        self._error: HoldfastError | None = None

    def add(self, kind: str, **payload: Any) -> None:
        """Puts an event behind the others. Check `is_full` afterwards, and wait for room."""
        if self._error is not None:
            raise self._error
        text = payload.get("text", "")
        self._characters += len(text)
        if kind in JOINED_KINDS and len(payload) == 1:
            self._add_text(kind, text)
        else:
            self._waiting.append(Entry(kind, payload))
        self._settled.clear()
        self._wake(self)

    @property
    def is_full(self) -> bool:
        return self._characters > FULL_CHARACTERS

    async def committed(self) -> None:
        """Returns when all that was added is committed; raises when this turn has lost the right to add."""
        if self._error is None:
            await self._settled.wait()
        if self._error is not None:
            raise self._error

    def refuse(self, error: HoldfastError) -> None:
        """Nothing more is taken from this turn."""
        self._error = error
        self._waiting.clear()
        self._settled.set()

    def take(self) -> list[Entry]:
        """What is to be written now; until `written` nothing else is taken."""
        taken, self._waiting = self._waiting, []
        self._characters = 0
        return taken

    def put_back(self, entries: list[Entry]) -> None:
        """Its session was busy: these wait for the next batch, before what has come since."""
        self._waiting = entries + self._waiting
        self._characters += sum(entry.characters for entry in entries)

    def written(self, last_seq: int) -> None:
        self.last_seq = last_seq
        if not self._waiting:
            self._settled.set()

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    def stale(self) -> None:
        self.refuse(StaleEpoch())

    def _add_text(self, kind: str, text: str) -> None:
        if not (self._waiting and self._waiting[-1].kind == kind and self._waiting[-1].pieces):
            self._waiting.append(Entry(kind, {}, []))
        self._waiting[-1].pieces.append(text)
