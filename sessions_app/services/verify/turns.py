"""Checks turns against the log: each is announced there, at most one runs, and each end is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sessions_app.models import EventKind, Turn
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.place import Place

NOT_ASKED = "the log does not tell that it was asked for"


@dataclass
class Course:
    """What the log has told of one turn so far."""

    turn: Turn
    is_announced: bool = False
    is_started: bool = False


class Turns:
    """The turns of one session, met in the order in which they were queued, which is that of their ids."""

    def __init__(self, turns: Iterator[Turn], place: Place, found: Findings) -> None:
        self._turns, self._place, self._found = turns, place, found
        self._under_way: dict[str, Course] = {}
        self.total = 0

    def read(self, seq: int, kind: str, message_id: int | None, payload: dict[str, Any]) -> None:
        if payload["turn"] is None:
            return
        course = self._course(payload["turn"])
        if course is None:
            self._found.add("turn", self._place, f"event {seq} ({kind}) names a turn that does not exist")
        elif kind == EventKind.TURN_STARTED:
            course.is_started = True
            if course.turn.reply_id != message_id:
                self._say(course.turn, f"event {seq} starts it with another reply than the turn names")
        elif kind == EventKind.TURN_ENDED:
            del self._under_way[payload["turn"]]
            self._check_end(course, seq, message_id, payload)
        else:
            course.is_announced = True

    def finish(self) -> set[int]:
        """After the last event; gives the messages that running turns write."""
        while self._pull() is not None:
            pass
        for course in self._under_way.values():
            self._check_live(course)
        running = [course.turn for course in self._under_way.values() if course.turn.is_running]
        if len(running) > 1:
            self._found.add("turn", self._place, f"{len(running)} turns run at once")
        return {turn.reply_id for turn in running if turn.reply_id is not None}

    def _course(self, public_id: str) -> Course | None:
        while public_id not in self._under_way:
            if self._pull() is None:
                return None
        return self._under_way[public_id]

    def _pull(self) -> Turn | None:
        turn = next(self._turns, None)
        if turn is not None:
            self.total += 1
            self._under_way[str(turn.public_id)] = Course(turn)
        return turn

    def _check_end(self, course: Course, seq: int, message_id: int | None, payload: dict[str, Any]) -> None:
        turn = course.turn
        if not course.is_announced:
            self._say(turn, NOT_ASKED)
        if turn.state != payload["state"]:
            self._say(turn, f"event {seq} ends it as {payload['state']}, the turn says {turn.state}")
        if turn.reply_id != message_id:
            self._say(turn, f"event {seq} ends it with another reply than the turn names")

    def _check_live(self, course: Course) -> None:
        turn = course.turn
        if not turn.is_live:
            self._say(turn, f"it is {turn.state}, and the log does not tell of its end")
        elif not course.is_announced:
            self._say(turn, NOT_ASKED)
        elif turn.is_running != course.is_started:
            told = "tells" if course.is_started else "does not tell"
            self._say(turn, f"it is {turn.state}, and the log {told} that it was started")

    def _say(self, turn: Turn, says: str) -> None:
        self._found.add("turn", self._place.of(f"turn {turn.public_id}"), says)
