"""Nudges between processes through a real Redis; when it is gone, nothing is lost but time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from channels.layers import channel_layers
from pytest_django import Settings

from chat.broadcast.hub import Hub
from chat.broadcast.neighbours import LAYER, Neighbours
from chat.broadcast.place import Place
from chat.wire import Piece
from tests.chat.live import eventually
from tests.provision.temporary_redis import TemporaryRedis, temporary_redis

PLACE = Place(1, "0b7e", 2, "6f1c", is_open=True)
ALICE = {"id": "1", "name": "alice"}


@pytest.fixture
def redis(settings: Settings) -> Iterator[TemporaryRedis]:
    with temporary_redis() as server:
        backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
        settings.CHANNEL_LAYERS = {LAYER: {"BACKEND": backend, "CONFIG": {"hosts": [server.url]}}}
        yield server


class Listening(Hub):
    """A hub that keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def committed(self, pieces: object) -> None:
        self.heard += list(pieces)  # type: ignore[call-overload]

    def nudged(self, session_id: int, last: int) -> None:
        self.heard.append((session_id, last))

    def changed(self, place: Place) -> None:
        self.heard.append(place)


@dataclass
class Two:
    """Two processes' worth of hubs, each with its line to the other."""

    here: Neighbours
    there: Listening

    async def hears(self, what: object) -> None:
        async def look() -> bool:
            return what in self.there.heard

        await eventually(look)

    async def are_connected(self) -> None:
        """A nudge may be lost while a line is being opened: say it until it is heard."""

        async def look() -> bool:
            self.here.tell_changed(PLACE)
            await asyncio.sleep(0.05)
            return PLACE in self.there.heard

        await eventually(look)


@contextlib.asynccontextmanager
async def two_processes() -> AsyncIterator[Two]:
    there = Listening()
    here, other = Neighbours(Hub()), Neighbours(there)
    tasks = [asyncio.create_task(here.run()), asyncio.create_task(other.run())]
    try:
        yield Two(here, there)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await channel_layers[LAYER].flush()


async def test_a_committed_piece_arrives_whole(redis: TemporaryRedis) -> None:
    async with two_processes() as two:
        await two.are_connected()
        piece = Piece(7, "6f1c", 3, 4, '{"seq":3},{"seq":4}')
        two.here.tell_committed([piece])
        await two.hears(piece)


async def test_of_a_large_piece_only_the_news_arrives(redis: TemporaryRedis) -> None:
    async with two_processes() as two:
        await two.are_connected()
        two.here.tell_committed([Piece(7, "6f1c", 3, 4, "x" * 100_000)])
        await two.hears((7, 4))


async def test_who_is_there_is_known_everywhere(redis: TemporaryRedis) -> None:
    async with two_processes() as two:
        await two.are_connected()
        two.here.tell_presence(PLACE, [ALICE])

        async def look() -> bool:
            return two.there.rooms.people(PLACE.conversation_id) == [ALICE]

        await eventually(look)


async def test_a_redis_that_dies_and_comes_back_is_used_again(redis: TemporaryRedis) -> None:
    async with two_processes() as two:
        await two.are_connected()
        redis.kill()
        for _ in range(5):
            two.here.tell_changed(PLACE)
            await asyncio.sleep(0.05)
        two.there.heard.clear()
        redis.start()
        await two.are_connected()


async def test_without_redis_nothing_is_said_and_nothing_breaks(settings: Settings) -> None:
    settings.CHANNEL_LAYERS = {}
    alone = Neighbours(Hub())
    alone.tell_changed(PLACE)
    await alone.run()
