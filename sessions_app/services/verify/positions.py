"""Checks everything that points into a session: checkpoints and forks carry the digest and count found there."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Protocol

from sessions_app.models import Checkpoint, Session
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.place import Place


class Chain(Protocol):
    """The digests of a session, as far as they have been read."""

    digest: str
    sealed_count: int


@dataclass(frozen=True)
class Pointer:
    """What says that at `seq` the chain has this digest and this many messages."""

    check: str
    seq: int
    digest: str
    count: int
    place: Place


class Positions:
    """The pointers into one session, in the order of what they point at."""

    def __init__(
        self,
        session: Session,
        checkpoints: Iterator[Checkpoint],
        forks: Iterator[Session],
        place: Place,
        found: Findings,
    ) -> None:
        self._session, self._place, self._found = session, place, found
        self.checkpoint_total = 0
        pointers = (self._of_checkpoints(checkpoints), self._of_forks(forks))
        self._pointers = heapq.merge(*pointers, key=lambda pointer: pointer.seq)
        self._next = next(self._pointers, None)

    @property
    def next_seq(self) -> float:
        return inf if self._next is None else self._next.seq

    def settle(self, *, before: int, chain: Chain) -> None:
        """Compares every pointer to an event before this one with the chain as it stands."""
        while self._next is not None and self._next.seq < before:
            count = self._session.base_count + chain.sealed_count
            if self._next.digest != chain.digest:
                self._say(self._next, "its digest is not that of the session at event {seq}")
            if self._next.count != count:
                self._say(self._next, f"it counts {self._next.count} messages at event {{seq}}, not {count}")
            self._next = next(self._pointers, None)

    def finish(self, last: int) -> None:
        while self._next is not None:
            self._say(self._next, f"it points at event {{seq}}, and the log ends at {last}")
            self._next = next(self._pointers, None)

    def _of_checkpoints(self, checkpoints: Iterator[Checkpoint]) -> Iterator[Pointer]:
        for checkpoint in checkpoints:
            self.checkpoint_total += 1
            place = self._place.of(f"checkpoint {checkpoint.public_id}")
            yield Pointer("checkpoint", checkpoint.seq, checkpoint.digest, checkpoint.message_count, place)

    def _of_forks(self, forks: Iterator[Session]) -> Iterator[Pointer]:
        for fork in forks:
            place = Place(fork)
            if fork.conversation_id != self._session.conversation_id or fork.number <= self._session.number:
                self._found.add("fork", place, f"it cannot descend from {self._place}")
            yield Pointer("fork", fork.parent_seq or 0, fork.base_digest, fork.base_count, place)

    def _say(self, pointer: Pointer, says: str) -> None:
        self._found.add(pointer.check, pointer.place, says.format(seq=pointer.seq))
