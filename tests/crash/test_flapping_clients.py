"""F12, F15, F18: clients that come and go, that send everything twenty times, that all come back at once."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.crash import ledger
from tests.crash.checker import problems
from tests.crash.conftest import PEOPLE, Watch
from tests.crash.ledger import rarely
from tests.crash.observer import Observer
from tests.crash.sites import Site

CLIENTS = 1000 if ledger.TRIALS else 200


async def flap(observer: Observer, chance: random.Random) -> None:
    while True:
        await asyncio.sleep(chance.uniform(0.1, 0.5))
        observer.cut()


@pytest.mark.fault("F12 a client drops and returns every 100 to 500 ms")
@rarely()
async def test_a_client_that_flaps_sees_every_word_once(site: Site, watch: Watch, seed: int) -> None:
    await site.restart()
    steady, *flapping = [watch(person=person) for person in range(6)]
    cutting = [asyncio.create_task(flap(one, random.Random(seed + n))) for n, one in enumerate(flapping)]
    await steady.post("think 30; tokens 400 at 100/s; tools 2")
    for observer in (steady, *flapping):
        await observer.until_sealed()
    for task in cutting:
        task.cancel()
    assert sum(len(observer.closes) for observer in flapping) > len(flapping)
    assert problems(site, [steady, *flapping]) == []


@pytest.mark.fault("F15 the same send 20 times at once")
@rarely()
async def test_the_same_send_twenty_times_is_one_message_and_one_turn(
    site: Site, watch: Watch, seed: int
) -> None:
    await site.restart()
    observers = [watch() for _ in range(20)]
    for observer in observers:
        await observer.until_live()
    answers = await asyncio.gather(
        *(observer.post("tokens 20 at 100/s", client_id="the same") for observer in observers)
    )
    assert sorted(answer["is_new"] for answer in answers) == [False] * 19 + [True]
    assert len({(answer["message"], answer["turn"], answer["seq"]) for answer in answers}) == 1
    for observer in observers:
        await observer.until_sealed()
    assert [observers[0].count(kind) for kind in ("message_posted", "turn_started")] == [1, 1]
    assert problems(site, observers) == []


@pytest.mark.fault(f"F18 {CLIENTS} clients come back at once after a restart")
async def test_all_clients_are_live_again_after_a_restart(site: Site, watch: Watch) -> None:
    server = await site.restart()
    observers = [watch(number % 4, person=number % PEOPLE) for number in range(CLIENTS)]
    for observer in observers:
        await observer.until_live()
    await observers[0].post("tokens 100 at 50/s")
    server.kill()
    await site.restart()
    for observer in observers:
        await observer.until_live()
    for observer in observers[:4]:
        await observer.post("tokens 5 at 50/s")
    for number, observer in enumerate(observers):
        await observer.until_sealed(2 if number % 4 == 0 else 1)
    assert problems(site, observers) == []
