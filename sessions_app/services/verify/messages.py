"""Checks that every message is what its events fold into, and that the digests chain in the order of sealing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sessions_app.canonical import canonical_json
from sessions_app.models import EventKind, Message, MessageRole, Session
from sessions_app.services.folding import Content, Folding
from sessions_app.services.log import digest_after
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.place import Place

SEALING = {
    MessageRole.PERSON.value: EventKind.MESSAGE_POSTED.value,
    MessageRole.AGENT.value: EventKind.SEALED.value,
}
SEALS = frozenset(SEALING.values())


@dataclass
class Reading:
    """A message whose last event has not been read yet."""

    message: Message
    folding: Folding = field(default_factory=Folding)
    is_begun: bool = False


class Messages:
    """The messages of one session, met in the order in which they begin."""

    def __init__(self, session: Session, messages: Iterator[Message], place: Place, found: Findings) -> None:
        self._session, self._messages, self._place, self._found = session, messages, place, found
        self._ahead = next(messages, None)
        self._open: dict[int, Reading] = {}
        self.total = 0
        self.digest, self.sealed_count = session.base_digest, 0

    def read(self, seq: int, kind: str, message_id: int, payload: dict[str, Any]) -> None:
        reading = self._open.get(message_id)
        if reading is None or not reading.is_begun:
            reading = self._begin(seq, message_id)
        if reading is None:
            says = f"event {seq} ({kind}) belongs to no message that is open there"
            self._found.add("message", self._place, says)
            return
        reading.folding.add(kind, payload)
        if kind in SEALS:
            del self._open[message_id]
            self._seal(reading, seq, kind, payload)

    def finish(self, *, running: set[int]) -> None:
        """After the last event: what is open belongs to a running turn, and the session's totals are right."""
        self._take(up_to=None)
        for reading in self._open.values():
            self._check_open(reading, running)
        if self._session.head_digest != self.digest:
            self._found.add(
                "digest", self._place, "the session's digest is not that of its last sealed message"
            )
        if self._session.sealed_count != self.sealed_count:
            says = f"the session counts {self._session.sealed_count} sealed messages, its log {self.sealed_count}"
            self._found.add("seal", self._place, says)
        if self._session.parent_id is None and (self._session.base_digest or self._session.base_count):
            self._found.add("fork", self._place, "it has no parent and still inherits messages")

    def _begin(self, seq: int, message_id: int) -> Reading | None:
        self._take(up_to=seq)
        reading = self._open.get(message_id)
        if reading is not None and not reading.is_begun:
            reading.is_begun = True
            if reading.message.first_seq != seq:
                says = f"it says that it begins with event {reading.message.first_seq}, and begins with {seq}"
                self._say("message", reading.message, says)
        return reading

    def _take(self, *, up_to: int | None) -> None:
        while self._ahead is not None and (up_to is None or self._ahead.first_seq <= up_to):
            self.total += 1
            self._open[self._ahead.pk] = Reading(self._ahead)
            if self._ahead.conversation_id != self._session.conversation_id:
                self._say("message", self._ahead, "it names another conversation than its session does")
            self._ahead = next(self._messages, None)

    def _seal(self, reading: Reading, seq: int, kind: str, payload: dict[str, Any]) -> None:
        message, folded = reading.message, reading.folding.content()
        self.sealed_count += 1
        if SEALING[message.role] != kind:
            self._say("seal", message, f"event {seq} ({kind}) cannot seal a message of this role")
        if message.sealed_seq != seq:
            self._say("seal", message, f"event {seq} seals it, the message says {message.sealed_seq}")
        if message.sealed_seq is None:
            self.digest = payload["digest"]
            return
        if message.seal_number != self.sealed_count:
            says = f"it is sealed as number {self.sealed_count}, the message says {message.seal_number}"
            self._say("seal", message, says)
        if payload["digest"] != message.digest:
            self._say("digest", message, f"event {seq} names another digest than the message")
        self._check_content(message, folded)
        # As it was written: one changed link is one finding, not all that follow.
        self.digest = message.digest

    def _check_content(self, message: Message, folded: Content) -> None:
        """Where message and events differ, the digest is the witness of which one was changed."""
        is_folded = digest_after(self.digest, message, folded) == message.digest
        if canonical_json(folded) == message.content:
            if not is_folded:
                self._say("digest", message, "its digest does not follow from the one before and its content")
            return
        is_stored = self._vouches_for_stored(message)
        witness = {(True, False): "its events", (False, True): "the message"}.get(
            (is_folded, is_stored), "neither"
        )
        self._say("projection", message, f"it is not what its events make; the digest agrees with {witness}")

    def _vouches_for_stored(self, message: Message) -> bool:
        try:
            return digest_after(self.digest, message, json.loads(message.content)) == message.digest
        except ValueError:
            return False

    def _check_open(self, reading: Reading, running: set[int]) -> None:
        if reading.message.sealed_seq is not None:
            says = f"it is sealed by event {reading.message.sealed_seq}, which does not seal it"
            self._say("seal", reading.message, says)
        elif not reading.is_begun:
            self._say("message", reading.message, "it is open and has no event")
        elif reading.message.pk not in running:
            self._say("open", reading.message, "it is open, but no running turn writes it")

    def _say(self, check: str, message: Message, says: str) -> None:
        self._found.add(check, self._place.of(f"message {message.public_id}"), says)
