"""Frames that no honest client sends: nothing ends, nothing breaks, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import random

import aiohttp
import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.hostile_frames import hostile_frame
from tests.crash.ledger import TRIALS, Count
from tests.crash.observer import SUBPROTOCOL
from tests.crash.sites import Site
from tests.figures import PrintFigure

FRAMES = 100_000 if TRIALS else 3_000
ATTACKERS = 4
BURST = 10
LAST = "the last of a burst"
HEARD_SECONDS = 60


@pytest.mark.fault("hostile frames on a socket")
async def test_hostile_frames_end_nothing_and_others_are_served(
    site: Site, watch: Watch, print_figure: PrintFigure, count_trials: Count
) -> None:
    server = await site.restart()
    reader = watch()
    await reader.post("tokens 400 at 200/s")
    closings = await asyncio.gather(
        *(attack(site, person, frames=FRAMES // ATTACKERS) for person in range(1, ATTACKERS + 1))
    )
    await reader.post("tokens 20 at 0/s")
    await reader.until_sealed(2)
    count_trials(FRAMES)
    print_figure(f"{FRAMES:,} hostile frames over {sum(closings):,} sockets that the server closed")
    assert server.process.poll() is None
    assert problems(site, [reader]) == []
    assert site.defects() == []


async def attack(site: Site, person: int, *, frames: int) -> int:
    """Comes back as often as the server throws it out; how often that was."""
    chance, closings, sent = random.Random(person), 0, 0
    address, place = f"http://127.0.0.1:{site.port}", site.places[1]
    async with aiohttp.ClientSession(cookies={"sessionid": site.cookies[person]}) as client:
        while sent < frames:
            async with client.ws_connect(
                f"{address}/ws/", protocols=[SUBPROTOCOL], origin=address
            ) as connection:
                is_open = True
                while is_open and sent < frames:
                    sent += BURST
                    is_open = await burst(connection, [hostile_frame(chance, place) for _ in range(BURST)])
                closings += not is_open
    return closings


async def burst(connection: aiohttp.ClientWebSocketResponse, frames: list[str | bytes]) -> bool:
    """Sends them at once, and waits until the server has dealt with all of them or has closed the socket."""
    try:
        for frame in frames:
            await (connection.send_bytes(frame) if isinstance(frame, bytes) else connection.send_str(frame))
        await connection.send_json({"type": "ping", "id": LAST})
    except (aiohttp.ClientError, ConnectionError):
        return False
    async with asyncio.timeout(HEARD_SECONDS):
        async for message in connection:
            answer = message.json()
            if answer["type"] == "pong" and answer["re"] == LAST:
                return True
    return False
