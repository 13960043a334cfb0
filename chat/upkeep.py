"""Repeats small work while the server runs, on a thread of its own, whatever the database does meanwhile."""

import threading
from collections.abc import Callable

import structlog
from django.db import Error, connection

from sessions_app.errors import DatabaseBusy

log = structlog.get_logger(__name__)


def keep_doing(
    work: Callable[[], float], *, name: str, every_seconds: float, stopping: threading.Event
) -> threading.Thread:
    """Starts a thread that does `work` until `stopping` is set; `work` says after how many seconds it is due
    again."""
    thread = threading.Thread(
        target=_keep, args=(work, name, every_seconds, stopping), name=name, daemon=True
    )
    thread.start()
    return thread


def _keep(work: Callable[[], float], name: str, every_seconds: float, stopping: threading.Event) -> None:
    pause = every_seconds
    while not stopping.wait(pause):
        pause = every_seconds
        try:
            pause = work()
        except (Error, DatabaseBusy, OSError) as error:
            # What is kept up only lags behind; the next time brings it up to date.
            log.warning("upkeep_waits", work=name, error=str(error))
        finally:
            connection.close()
