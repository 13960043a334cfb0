"""F1: kill -9 of a process that runs agents, beside one that serves and goes on serving."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch, eventually
from tests.crash.ledger import rarely
from tests.crash.observer import Observer
from tests.crash.sites import Site, free_port, new_site
from tests.provision.temporary_postgres import temporary_postgres

QUESTIONS = ("tokens 200 at 60/s", "think 40; tokens 100 at 50/s", "tokens 120 at 50/s; tools 3")


@pytest.mark.fault("F1 kill -9 of a process that runs agents, beside one that serves")
@rarely()
async def test_the_next_process_goes_on_and_no_socket_is_cut(site: Site, watch: Watch, seed: int) -> None:
    await site.restart("--no-agents")
    agents = site.manage("run_agents")
    observers = [watch(number) for number in range(len(QUESTIONS))]
    for observer, question in zip(observers, QUESTIONS, strict=True):
        await observer.post(question)
        await observer.until_shown("turn_started")
    await asyncio.sleep(random.Random(seed).uniform(0, 1.5))
    agents.kill()
    agents.wait()
    agents = site.manage("run_agents")
    for observer in observers:
        await observer.until_sealed()
    await eventually(lambda: site.log().count("Agents are running") == 2, what="it can be told to end")
    agents.terminate()
    assert await asyncio.to_thread(agents.wait) == 0
    assert [observer.closes for observer in observers] == [[], [], []]
    assert problems(site, observers) == []


@pytest.mark.parametrize("words", [["run_agents"], ["serve", "--port", "0"]])
async def test_a_process_that_is_half_broken_ends_so_that_it_is_started_again(
    site: Site, words: list[str]
) -> None:
    process = site.manage(*words, break_poll=True)
    assert await asyncio.to_thread(process.wait) > 0


@pytest.fixture
def on_postgresql(tmp_path: Path) -> Iterator[Site]:
    with temporary_postgres() as server:
        site = new_site(tmp_path, people=2, conversations=len(QUESTIONS), DATABASE_URL=server.url)
        yield site
        site.end()


@pytest.mark.fault("F1 kill -9 of one of two servers on PostgreSQL")
@rarely()
async def test_of_two_servers_on_postgresql_one_goes_on_for_both(on_postgresql: Site, seed: int) -> None:
    site, chance = on_postgresql, random.Random(seed)
    await site.restart()
    second = await site.restart(port=free_port())
    observers = [Observer(site, place, site.cookies[0], second.port) for place in site.places]
    watching = [asyncio.create_task(observer.watch()) for observer in observers]
    for observer, question in zip(observers, QUESTIONS, strict=True):
        await observer.post(question)
    for victim in site.servers[:2]:
        await asyncio.sleep(chance.uniform(0, 1.5))
        victim.kill()
        await site.restart(port=victim.port)
    for observer in observers:
        await observer.until_sealed()
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    assert problems(site, observers) == []
