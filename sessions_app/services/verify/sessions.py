"""Walks every session once: its log without a hole, and all that was made of it along the way."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from sessions_app.models import EventKind, Session
from sessions_app.services.verify.findings import Findings, missing
from sessions_app.services.verify.lanes import Lanes, open_lanes
from sessions_app.services.verify.messages import Messages
from sessions_app.services.verify.moves import Moves
from sessions_app.services.verify.place import Place
from sessions_app.services.verify.positions import Positions
from sessions_app.services.verify.turns import Turns
from sessions_app.services.verify.view import CHUNK, View

ABOUT_TURNS = {
    EventKind.MESSAGE_POSTED.value,
    EventKind.TURN_QUEUED.value,
    EventKind.TURN_STARTED.value,
    EventKind.TURN_ENDED.value,
}
ABOUT_MOVES = {EventKind.MADE_ACTIVE.value, EventKind.ARCHIVED.value}


def check_sessions(view: View, found: Findings, counts: Counter[str]) -> None:
    """Each table is read once, in step with the others; what is held is one session's open ends."""
    lanes = open_lanes(view)
    for session in view.sessions().order_by("pk").iterator(CHUNK):
        counts["sessions"] += 1
        Walk(session, lanes, found, counts).walk()


class Walk:
    """One session from its first event to its last."""

    def __init__(self, session: Session, lanes: Lanes, found: Findings, counts: Counter[str]) -> None:
        self.session, self.found, self.counts = session, found, counts
        self.events = lanes.events.of(session)
        self.place = Place(session)
        self.messages = Messages(session, lanes.messages.of(session), self.place, found)
        self.turns = Turns(lanes.turns.of(session), self.place, found)
        self.moves = Moves(lanes.moves_to.of(session), lanes.moves_from.of(session), self.place, found)
        checkpoints, forks = lanes.checkpoints.of(session), lanes.forks.of(session)
        self.positions = Positions(session, checkpoints, forks, self.place, found)

    def walk(self) -> None:
        last = 0
        for _, seq, kind, message_id, payload in self.events:
            if seq != last + 1:
                self.found.add("log", self.place, missing("event", last + 1, seq - 1))
            if self.positions.next_seq < seq:
                self.positions.settle(before=seq, chain=self.messages)
            last = seq
            self._read(seq, kind, message_id, payload)
        if last != self.session.last_seq:
            says = f"the log ends at event {last}, the session says {self.session.last_seq}"
            self.found.add("log", self.place, says)
        self._finish(last)

    def _read(self, seq: int, kind: str, message_id: int | None, payload: str) -> None:
        self.counts["events"] += 1
        try:
            content: dict[str, Any] = json.loads(payload)
            if message_id is not None:
                self.messages.read(seq, kind, message_id, content)
            if kind in ABOUT_TURNS:
                self.turns.read(seq, kind, message_id, content)
            elif kind in ABOUT_MOVES:
                self.moves.read(seq, kind, content)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            says = f"event {seq} ({kind}) cannot be read: {type(error).__name__} {error}"
            self.found.add("event", self.place, says)

    def _finish(self, last: int) -> None:
        self.positions.settle(before=last + 1, chain=self.messages)
        self.positions.finish(last)
        self.messages.finish(running=self.turns.finish())
        self.moves.finish()
        self.counts["messages"] += self.messages.total
        self.counts["turns"] += self.turns.total
        self.counts["checkpoints"] += self.positions.checkpoint_total
