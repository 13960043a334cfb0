"""Keeps the search index up to date while the server runs."""

import threading
import time

from chat.upkeep import keep_doing
from sessions_app.services.search.upkeep import index_in_steps

EVERY_SECONDS = 5
# Whoever holds the interpreter keeps streams waiting: after each step it is theirs for so many times as long.
REST = 4


def keep_index(stopping: threading.Event, *, every_seconds: float = EVERY_SECONDS) -> threading.Thread:
    """Starts a thread that indexes what was sealed meanwhile until `stopping` is set."""

    def catch_up_gently() -> float:
        begun = time.monotonic()
        for _ in index_in_steps():
            if stopping.wait(REST * (time.monotonic() - begun)):
                break
            begun = time.monotonic()
        return every_seconds

    return keep_doing(catch_up_gently, name="search-index", every_seconds=every_seconds, stopping=stopping)
