"""What a lane needs to know of whoever reads a session's log in this process."""

from __future__ import annotations

from typing import Protocol

from chat.wire import Piece


class Listener(Protocol):
    """Told of everything that is committed, and when its reader may have lost access; no call waits."""

    session_id: int
    session: str

    def offer(self, piece: Piece) -> None: ...

    def reach(self, seq: int) -> None: ...

    def doubt(self) -> None: ...
