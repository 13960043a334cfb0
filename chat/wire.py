"""The frames of the socket: how facts look on the wire. docs/protocol.md is this module in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sessions_app.errors import HoldfastError
from sessions_app.models import SessionEvent

PROTOCOL = 1
SUBPROTOCOL = f"holdfast.{PROTOCOL}"
FRAME_BYTES = 512 * 1024
HEARTBEAT_SECONDS = 20

RESTARTING = 1012
BAD_FRAMES = 4400
NOT_SIGNED_IN = 4401
ACCESS_LOST = 4403
SILENT = 4408
OTHER_PROTOCOL = 4426
TOO_MANY = 4429


@dataclass(frozen=True)
class Piece:
    """A stretch of one session's log without a hole, already committed. `items` is the events' JSON, joined."""

    session_id: int
    session: str
    first: int
    last: int
    items: str

    @cached_property
    def frame(self) -> str:
        """Made once, however many sockets it goes to."""
        return (
            f'{{"type":"events","session":"{self.session}","first":{self.first},"last":{self.last},'
            f'"events":[{self.items}]}}'
        )

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """The same for those who look into it."""
        found: list[dict[str, Any]] = json.loads(f"[{self.items}]")
        return found

    @cached_property
    def size(self) -> int:
        return len(self.frame.encode())


def event_json(seq: int, kind: str, message: object | None, at: datetime, payload: str) -> str:
    """One event. Its payload is JSON already, and goes out as it is stored."""
    named = f'"{message}"' if message else "null"
    return f'{{"seq":{seq},"kind":"{kind}","message":{named},"at":"{at.isoformat()}","payload":{payload}}}'


def piece_of(session_id: int, session: object, events: Sequence[SessionEvent]) -> Piece:
    """Events as they were read from the log, with their messages."""
    items = ",".join(
        event_json(
            event.seq, event.kind, event.message.public_id if event.message else None, event.at, event.payload
        )
        for event in events
    )
    return Piece(session_id, str(session), events[0].seq, events[-1].seq, items)


def frame(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, **fields}, ensure_ascii=False, separators=(",", ":"), default=str)


def error_frame(error: HoldfastError, re: str | None) -> str:
    """A refusal: what is wrong and what is safe."""
    return frame("error", re=re, code=error.code, sentence=str(error), facts=error.facts)


def failure_frame(re: str | None) -> str:
    """Something that should not happen did; the log of the server has the details."""
    sentence = "Something went wrong on the server. What was saved is safe; try again."
    return frame("error", re=re, code="server_error", sentence=sentence, facts={})
