"""Frames that no honest client sends: nothing ends, nothing breaks, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import statistics
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.hostile_frames import FIELDS_OF, hostile_frame, wrong_in_one_field
from tests.crash.ledger import TRIALS, Count
from tests.crash.observer import SUBPROTOCOL, Observer
from tests.crash.sites import Site
from tests.figures import PrintFigure

FRAMES = 100_000 if TRIALS else 4_000
ATTACKERS = 4
BURST = 10
# What a socket takes without a pause: more would be refused before anybody looks into it.
PATIENT_BURST = 90
LAST = "the last of a burst"
HEARD_SECONDS = 60
PING_SECONDS = 0.05

Frames = Iterable[str | bytes]
Attack = asyncio.Future[list[int]]


def test_every_frame_of_the_protocol_is_among_the_hostile_ones() -> None:
    text = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
    table = text.split("## What a client sends")[1].split("## What the server sends")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", table, re.MULTILINE)
    assert {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows} == {
        kind: set(fields) for kind, fields in FIELDS_OF.items()
    }


@pytest.mark.fault("hostile frames on a socket")
async def test_hostile_frames_end_nothing_and_others_are_served(
    site: Site, watch: Watch, print_figure: PrintFigure, count_trials: Count
) -> None:
    server, began = await site.restart(), time.monotonic()
    reader = watch()
    attack: Attack = asyncio.gather(*(attacked(site, person) for person in range(1, ATTACKERS + 1)))
    replies, round_trips = await asyncio.gather(goes_on(reader, attack), pinged(reader, attack))
    closings, seconds = sum(attack.result()), time.monotonic() - began
    count_trials(FRAMES)
    median, p95 = statistics.median(round_trips), statistics.quantiles(round_trips, n=20)[-1]
    print_figure(
        f"{FRAMES:,} hostile frames, {FRAMES / seconds:,.0f} a second, over {closings:,} sockets that the server "
        f"closed; meanwhile {replies} replies of somebody else, who was answered in {median * 1000:.0f} ms "
        f"(p95 {p95 * 1000:.0f} ms)"
    )
    assert server.process.poll() is None
    assert problems(site, [reader]) == []
    assert site.defects() == []


async def goes_on(reader: Observer, attack: Attack) -> int:
    """Asks for one reply after the other until the attack is over, and then for one more; how many."""
    for number in itertools.count(1):
        is_last = attack.done()
        await reader.post("tokens 150 at 200/s")
        await reader.until_sealed(number)
        if is_last:
            return number
    raise AssertionError


async def pinged(reader: Observer, attack: Attack) -> list[float]:
    """How long each answer took, in seconds."""
    found: list[float] = []
    while not attack.done() or len(found) < 2:
        began = time.monotonic()
        if await reader.ask("ping") is not None:
            found.append(time.monotonic() - began)
        await asyncio.sleep(PING_SECONDS)
    return found


async def attacked(site: Site, person: int) -> int:
    """First each frame with one wrong field, slowly enough to be looked at; then a flood of anything. How often
    the server threw the attacker out."""
    chance, place = random.Random(person), site.places[1]
    share = list(itertools.islice(wrong_in_one_field(place), person - 1, None, ATTACKERS))
    left = FRAMES // ATTACKERS - len(share)
    flood = (hostile_frame(chance, place) for _ in range(left))
    return await thrown_out(site, person, share, burst=PATIENT_BURST, anew=True) + await thrown_out(
        site, person, flood, burst=BURST, anew=False
    )


async def thrown_out(site: Site, person: int, frames: Frames, *, burst: int, anew: bool) -> int:
    """Sends in bursts, each on a socket of its own or all on one; comes back as often as it is thrown out."""
    address, closings = f"http://127.0.0.1:{site.port}", 0
    bursts = chunked(iter(frames), burst)
    async with aiohttp.ClientSession(cookies={"sessionid": site.cookies[person]}) as client:
        chunk = next(bursts, None)
        while chunk:
            async with client.ws_connect(
                f"{address}/ws/", protocols=[SUBPROTOCOL], origin=address
            ) as connection:
                is_open = True
                while is_open and chunk:
                    is_open = await heard(connection, chunk)
                    closings += not is_open
                    chunk = next(bursts, None)
                    is_open &= not anew
    return closings


def chunked(frames: Iterator[str | bytes], size: int) -> Iterator[list[str | bytes]]:
    while chunk := list(itertools.islice(frames, size)):
        yield chunk


async def heard(connection: aiohttp.ClientWebSocketResponse, frames: list[str | bytes]) -> bool:
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
