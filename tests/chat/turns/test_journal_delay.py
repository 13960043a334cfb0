"""How long the journal says that something has waited: while it is slow, and while it is merely busy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from chat.turns.journal_writer import JournalWriter
from chat.turns.stream import Stream
from chat.wire import Piece
from sessions_app.models import Agent, Membership, Role, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import Lease, claim_turn

BATCHES = 10


@pytest.fixture
def lease(fresh_database: None) -> Lease:
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    alice = User.objects.create_user("alice")
    Membership.objects.create(workspace=team, user=alice, role=Role.OWNER)
    agent = Agent.objects.create(workspace=team, name="Demo", handle="demo", provider="demo")
    conversation = start_conversation(team, by=alice, agent=agent)
    turn = post_message(conversation, by=alice, text="hello", client_id="1").turn
    assert turn is not None
    return claim_turn(turn, owner="test-owner")


async def test_a_journal_that_always_has_more_to_write_is_not_late(lease: Lease) -> None:
    """Whenever a batch is committed the next one has begun to collect; what has waited is younger than that."""
    stream: Stream
    added_at: list[float] = []
    waited_since: list[float] = []
    is_done = asyncio.Event()

    def deliver(pieces: Sequence[Piece]) -> None:
        delay = journal.delay_seconds
        waited_since.append(time.monotonic() - delay)
        if len(waited_since) > BATCHES:
            is_done.set()
            return
        added_at.append(time.monotonic())
        stream.add("text", text="word ")

    journal = JournalWriter(deliver)
    stream = journal.open(lease, session="", message="", last_seq=0)
    writing = asyncio.create_task(journal.run())
    added_at.append(time.monotonic())
    stream.add("text", text="word ")
    await asyncio.wait_for(is_done.wait(), 30)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    journal.close()
    assert [since >= added for since, added in zip(waited_since, added_at, strict=True)] == [True] * (
        BATCHES + 1
    )
