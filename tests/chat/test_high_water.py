from __future__ import annotations

import json
import threading
import time

import pytest
from structlog.testing import capture_logs

from chat.high_water import keep_mark
from sessions_app.services.instance import mark_file, read_mark, record_mark


@pytest.mark.django_db(transaction=True)
def test_it_is_never_lowered_when_the_database_becomes_an_older_one() -> None:
    """As when somebody puts an old backup under a running server: the next start must still notice."""
    mark = record_mark()
    newer = json.dumps({"instance": mark.instance, "events": mark.events + 1})
    mark_file().write_text(newer, encoding="utf-8")
    stopping = threading.Event()
    with capture_logs() as logs:
        thread = keep_mark(stopping, every_seconds=0.01)
        deadline = time.monotonic() + 30
        while not logs and time.monotonic() < deadline:
            time.sleep(0.01)
        stopping.set()
        thread.join(30)
    assert logs[0]["event"] == "database_is_not_the_one_it_was"
    assert "older than it should be" in logs[0]["says"]
    assert mark_file().read_text(encoding="utf-8") == newer
    mark_file().unlink()


@pytest.mark.django_db(transaction=True)
def test_it_is_written_again_and_again_until_the_server_stops() -> None:
    record_mark()
    mark_file().unlink()
    stopping = threading.Event()
    thread = keep_mark(stopping, every_seconds=0.01)
    try:
        deadline = time.monotonic() + 30
        while read_mark() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert read_mark() is not None
    finally:
        stopping.set()
        thread.join(30)
        mark_file().unlink(missing_ok=True)
    assert not thread.is_alive()
