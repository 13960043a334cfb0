"""A reader of the log: no hole, no repetition, and never more in flight than it acknowledges."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from chat.broadcast.follower import WINDOW_BYTES, Follower
from chat.database_threads import write
from chat.wire import Piece, event_json
from sessions_app.canonical import canonical_json
from sessions_app.models import Conversation, Session
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.chat.live import eventually
from tests.sessions_app.acting import append_texts
from tests.sessions_app.services.writers import say, start_team


@dataclass
class Reader:
    """Somebody who follows, and has what it was sent."""

    follower: Follower
    frames: list[str] = field(default_factory=list)

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for frame in self.frames for event in json.loads(frame)["events"]]

    @property
    def sent(self) -> int:
        return sum(len(frame) for frame in self.frames)

    async def was_sent(self, size: int) -> None:
        async def look() -> bool:
            return self.sent >= size

        await eventually(look)

    async def has(self, last: int) -> None:
        async def look() -> bool:
            return self.follower.cursor >= last

        await eventually(look)


@contextlib.asynccontextmanager
async def reading(session: Session, *, after: int, up_to: int) -> AsyncIterator[Reader]:
    frames: list[str] = []

    async def send(frame: str) -> None:
        frames.append(frame)

    async def caught_up(seq: int) -> None:
        assert seq >= up_to

    follower = Follower(session.pk, str(session.public_id), after=after, send=send)
    task = asyncio.create_task(follower.run(up_to=up_to, caught_up=caught_up))
    try:
        yield Reader(follower, frames)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def talk(texts: int, size: int = 4) -> tuple[Session, Lease, int]:
    """A session with a running turn that has said so much; gives where its log ends."""
    conversation = start_team()
    turn = say(conversation).turn
    assert turn is not None
    lease = claim_turn(turn, owner="test")
    for _ in range(texts):
        append_texts(lease, "x" * size)
    session = Conversation.objects.get(pk=conversation.pk).active_session
    return session, lease, session.last_seq


def piece(session: Session, first: int, last: int) -> Piece:
    payload = canonical_json({"text": "live"})
    items = ",".join(
        event_json(seq, "text", None, session.started_at, payload) for seq in range(first, last + 1)
    )
    return Piece(session.pk, str(session.public_id), first, last, items)


async def test_it_begins_after_its_cursor_and_ends_at_the_end(threads: None) -> None:
    session, _, last = await write(talk, 20)
    async with reading(session, after=5, up_to=last) as reader:
        await reader.has(last)
    assert reader.seqs == list(range(6, last + 1))


async def test_pieces_that_overlap_or_come_twice_or_leave_a_hole_are_made_good_from_the_log(
    threads: None,
) -> None:
    session, lease, last = await write(talk, 3)
    async with reading(session, after=last, up_to=last) as reader:
        for _ in range(10):
            await write(append_texts, lease, "a")
        reader.follower.offer(piece(session, last + 4, last + 6))
        reader.follower.offer(piece(session, last + 2, last + 5))
        reader.follower.offer(piece(session, last + 2, last + 5))
        reader.follower.offer(piece(session, last + 10, last + 10))
        await reader.has(last + 10)
    assert reader.seqs == list(range(last + 1, last + 11))


async def test_a_reader_who_acknowledges_nothing_gets_one_window_and_then_silence(threads: None) -> None:
    session, _, last = await write(talk, 40, 40_000)
    async with reading(session, after=0, up_to=last) as reader:
        await reader.was_sent(WINDOW_BYTES)
        await asyncio.sleep(0.5)  # is this silence, or was it only slow?
        assert reader.sent < 2 * WINDOW_BYTES
        while reader.follower.cursor < last:
            reader.follower.acknowledge(reader.follower.cursor)
            await asyncio.sleep(0.01)
    assert reader.seqs == list(range(1, last + 1))


async def test_what_is_offered_to_a_slow_reader_is_forgotten_and_read_later(threads: None) -> None:
    session, lease, last = await write(talk, 1)
    async with reading(session, after=last, up_to=last) as reader:
        for number in range(60):
            await write(append_texts, lease, "y" * 40_000)
            big = Piece(
                session.pk, str(session.public_id), last + number + 1, last + number + 1, "z" * 40_000
            )
            reader.follower.offer(big)
        waiting = reader.follower._waiting
        assert sum(len(one.items) for one in waiting) <= 1024 * 1024 + 40_000
        reader.follower._waiting.clear()
        while reader.follower.cursor < last + 60:
            reader.follower.acknowledge(reader.follower.cursor)
            await asyncio.sleep(0.01)
