"""Keeps `data/instance.json` up to date while the server runs."""

import threading

import structlog

from chat.upkeep import keep_doing
from sessions_app.errors import StartupRefused
from sessions_app.services.instance import raise_mark

EVERY_SECONDS = 60

log = structlog.get_logger(__name__)


def keep_mark(stopping: threading.Event, *, every_seconds: float = EVERY_SECONDS) -> threading.Thread:
    """Starts a thread that writes the high-water mark anew until `stopping` is set."""

    def write() -> float:
        try:
            raise_mark()
        except StartupRefused as refusal:
            log.error("database_is_not_the_one_it_was", says=str(refusal))
        return every_seconds

    return keep_doing(write, name="high-water", every_seconds=every_seconds, stopping=stopping)
