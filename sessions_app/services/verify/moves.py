"""Checks that pointer moves and the logs tell the same: one `made_active` and one `archived` for each entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sessions_app.models import EventKind
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.place import Place
from sessions_app.services.verify.view import Row


class Moves:
    """The moves to and from one session; event by event each has its audit entry, in the same order."""

    def __init__(self, to: Iterator[Row], away: Iterator[Row], place: Place, found: Findings) -> None:
        self._to, self._away, self._place, self._found = to, away, place, found

    def read(self, seq: int, kind: str, payload: dict[str, Any]) -> None:
        is_arrival = kind == EventKind.MADE_ACTIVE
        entry = next(self._to if is_arrival else self._away, None)
        if entry is None:
            self._found.add("move", self._place, f"event {seq} ({kind}) has no audit entry")
            return
        _, number, action, other = entry
        told = payload["predecessor" if is_arrival else "successor"]
        if payload["action"] != action or (told and told["id"]) != (other and str(other)):
            says = f"event {seq} ({kind}) does not tell what audit entry {number} ({action}) says"
            self._found.add("move", self._place, says)

    def finish(self) -> None:
        for kind, entries in ((EventKind.MADE_ACTIVE, self._to), (EventKind.ARCHIVED, self._away)):
            for _, number, action, _ in entries:
                says = f"audit entry {number} ({action}) has no event {kind} in the log"
                self._found.add("move", self._place, says)
