"""F1: kill -9 of the server while agents answer costs nobody a word."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.crash.checker import page_problems, problems
from tests.crash.conftest import Watch
from tests.crash.ledger import Count, rounds
from tests.crash.sites import Site

KILLS = 3
QUESTIONS = (
    "tokens 300 at 100/s",
    "think 60; tokens 120 at 80/s",
    "tokens 150 at 50/s; tools 3",
    "tokens 4000 at 2000/s",
)


@pytest.mark.fault("F1 kill -9 of the server at a random instant")
@rounds(2, trials_each=KILLS)
async def test_a_killed_server_goes_on_where_it_was(
    site: Site, watch: Watch, count_trials: Count, seed: int
) -> None:
    chance = random.Random(seed)
    server = await site.restart()
    observers = [watch(number, person=person) for number in range(len(QUESTIONS)) for person in (0, 1)]
    await asyncio.gather(
        *(observer.post(text) for observer, text in zip(observers[::2], QUESTIONS, strict=True))
    )
    for _ in range(KILLS):
        await asyncio.sleep(chance.uniform(0, 1.2))
        server.kill()
        server = await site.restart()
    for observer in observers:
        await observer.until_sealed()
    count_trials(KILLS)
    assert problems(site, observers) == []
    assert await page_problems(site) == []
