from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from structlog.testing import capture_logs

from chat.upkeep import keep_doing
from sessions_app.errors import DatabaseBusy


@pytest.mark.parametrize(
    "failure",
    [OperationalError, InterfaceError, DatabaseError, DatabaseBusy, OSError],
    ids=lambda f: f.__name__,
)
def test_it_goes_on_after_whatever_the_database_does(failure: Callable[[str], Exception]) -> None:
    stopping, done_again = threading.Event(), threading.Event()
    attempts = iter([failure("gone")])

    def work() -> float:
        for error in attempts:
            raise error
        done_again.set()
        return 60

    with capture_logs() as logs:
        thread = keep_doing(work, name="upkeep", every_seconds=0.01, stopping=stopping)
        assert done_again.wait(30)
        stopping.set()
        thread.join(30)
    assert not thread.is_alive()
    assert [(entry["event"], entry["error"]) for entry in logs] == [("upkeep_waits", "gone")]
