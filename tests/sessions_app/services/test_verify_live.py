"""Verify reads one instant: whoever writes meanwhile is not kept waiting, and is not mistaken for a fault."""

from __future__ import annotations

import time

import pytest
from django.db import connection

from sessions_app.models import Conversation, SessionEvent, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.verify import verify
from sessions_app.services.verify.view import consistent_view
from tests.sessions_app.services.writers import busy_writers, exchange, say, start_team

pytestmark = pytest.mark.usefixtures("fresh_database")
LOOKS, MOST_SECONDS = 8, 60


def two_conversations() -> tuple[Conversation, Conversation]:
    first = start_team()
    second = start_conversation(
        Workspace.objects.get(), by=User.objects.get(), key="team:second", agent=first.agent
    )
    return first, second


def test_live_writes_are_not_mistaken_for_faults() -> None:
    events: list[int] = []
    with busy_writers(*two_conversations()):
        until = time.monotonic() + MOST_SECONDS
        while len(set(events)) < LOOKS and time.monotonic() < until:
            report = verify()
            assert report.findings == ()
            events.append(report.counts["events"])
    assert events == sorted(events)
    assert len(set(events)) == LOOKS
    assert verify().counts["events"] == SessionEvent.objects.count()


def test_nobody_waits_for_it_and_it_does_not_see_them() -> None:
    """Written on another connection in the middle of the walk."""
    conversation = start_team()
    exchange(conversation)
    before = SessionEvent.objects.count()
    with consistent_view("default") as view:
        assert len(list(view.sessions())) == 1
        with busy_writers(conversation):
            pass
        assert len(list(view.events())) == before
    assert SessionEvent.objects.count() > before


def test_the_connection_can_be_written_with_afterwards() -> None:
    conversation = start_team()
    assert verify().is_clean
    say(conversation)
    assert not connection.in_atomic_block
    assert verify().counts["messages"] == 1
