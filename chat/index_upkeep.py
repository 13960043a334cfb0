"""Keeps the search index up to date while the server runs."""

import threading
import time

from chat.upkeep import keep_doing
from sessions_app.services.search.upkeep import catch_up

EVERY_SECONDS = 5
# A large backlog, as after an import, is worked off in pieces that leave as much time to the rest of the process.
PIECE_SECONDS = 0.5


def keep_index(stopping: threading.Event, *, every_seconds: float = EVERY_SECONDS) -> threading.Thread:
    """Starts a thread that indexes what was sealed meanwhile until `stopping` is set."""

    def catch_up_a_piece() -> float:
        begun = time.monotonic()
        catch_up(seconds=PIECE_SECONDS)
        has_more = time.monotonic() - begun >= PIECE_SECONDS
        return min(PIECE_SECONDS, every_seconds) if has_more else every_seconds

    return keep_doing(catch_up_a_piece, name="search-index", every_seconds=every_seconds, stopping=stopping)
