"""F1 at each point where something is done and the next thing is not: the server kills itself exactly there."""

from __future__ import annotations

import asyncio
import signal

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.ledger import rarely
from tests.crash.sites import Site

QUESTION = "think 5; tokens 60 at 150/s; tools 2"
# How often the point is reached before the process dies there.
POINTS = {
    "kill_after_post": 1,
    "kill_in_claim": 1,
    "kill_after_claim": 1,
    "kill_before_first_token": 1,
    "kill_in_batch": 7,
    "kill_after_commit": 11,
    "kill_after_delivery": 13,
    "kill_before_sealing": 1,
    "kill_after_sealing": 1,
    "kill_after_end": 1,
}


@pytest.mark.fault("F1 kill -9 at a named point")
@pytest.mark.parametrize("point", POINTS)
@rarely()
async def test_a_server_killed_at_a_point_goes_on_as_if_it_had_not_been(
    site: Site, watch: Watch, point: str, seed: int
) -> None:
    server = await site.restart(**{point: POINTS[point] + seed * (POINTS[point] > 1)})
    observers = [watch(person=0), watch(person=1)]
    posting = asyncio.create_task(observers[0].post(QUESTION))
    await server.ended()
    await site.restart()
    await posting
    for observer in observers:
        await observer.until_sealed()
    assert problems(site, observers) == []


@pytest.mark.fault("F1 kill -9 while the next server recovers")
@rarely()
async def test_a_server_killed_while_it_recovers_leaves_the_rest_to_the_next(
    site: Site, watch: Watch, seed: int
) -> None:
    server = await site.restart()
    observers = [watch(number) for number in range(3)]
    for observer in observers:
        await observer.post(QUESTION)
        await observer.until_said(3)
    server.kill()
    await site.serve(kill_in_recovery=1 + seed % 3).ended()
    await site.restart()
    for observer in observers:
        await observer.until_sealed()
    assert problems(site, observers) == []


@pytest.mark.fault("F1 kill -9 while a server hands its turns on")
@rarely()
async def test_a_server_killed_while_it_drains_leaves_the_rest_to_the_next(
    site: Site, watch: Watch, seed: int
) -> None:
    server = await site.restart(kill_in_handing_on=1 + seed % 3)
    observers = [watch(number) for number in range(3)]
    for observer in observers:
        await observer.post(QUESTION)
    server.process.send_signal(signal.SIGTERM)
    await server.ended()
    await site.restart()
    for observer in observers:
        await observer.until_sealed()
    assert problems(site, observers) == []
