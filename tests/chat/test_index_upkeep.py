from __future__ import annotations

import threading
import time

from chat.index_upkeep import keep_index
from sessions_app.models import IndexedSession, User
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.transcript import post_message


def wait_until_indexed(messages: int) -> None:
    deadline = time.monotonic() + 30
    while sum(IndexedSession.objects.values_list("seal_number", flat=True)) < messages:
        assert time.monotonic() < deadline, "nothing was indexed"
        time.sleep(0.01)


def test_what_is_sealed_is_indexed_until_the_server_stops(fresh_database: None) -> None:
    conversation = create_demo_team(password="correct horse").conversations.get()
    stopping = threading.Event()
    thread = keep_index(stopping, every_seconds=0.01)
    try:
        wait_until_indexed(2)
        post_message(conversation, by=User.objects.get(username="alice"), text="Kelp", client_id="1")
        wait_until_indexed(3)
    finally:
        stopping.set()
        thread.join(30)
    assert not thread.is_alive()
