"""F5: another program holds the database's lock: nothing is shown that is not saved, then all goes on."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator

import aiohttp
import pytest

from tests.crash import ledger
from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.sites import Site

LOCK_SECONDS = (1, 5, 30) if ledger.TRIALS else (1, 5)


@contextlib.contextmanager
def locked(site: Site) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(site.database, timeout=30, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


@pytest.mark.fault("F5 the database is locked by another writer")
@pytest.mark.parametrize("seconds", LOCK_SECONDS)
async def test_a_locked_database_delays_and_loses_nothing(site: Site, watch: Watch, seconds: int) -> None:
    await site.restart()
    observers = [watch(number, person=number) for number in range(3)]
    for observer in observers:
        await observer.post("tokens 300 at 100/s; tools 1")
        await observer.until_said(3)
    with locked(site):
        ends = [site.last_seq(observer.place) for observer in observers]
        posting = asyncio.create_task(observers[0].post("tokens 5 at 100/s"))
        for observer, end in zip(observers, ends, strict=True):
            await observer.until_at(end)
        await asyncio.sleep(seconds)
        assert [site.last_seq(observer.place) for observer in observers] == ends
        assert [observer.cursor for observer in observers] == ends
    await posting
    await observers[0].until_sealed(2)
    for observer in observers[1:]:
        await observer.until_sealed()
    assert problems(site, observers) == []


@pytest.mark.fault("F5 saving is delayed, and people are told")
async def test_people_are_told_that_saving_is_delayed_and_that_it_is_over(site: Site, watch: Watch) -> None:
    server = await site.restart(delay_shown_seconds=1)
    observer = watch()
    await observer.post("tokens 600 at 100/s")
    await observer.until_said(3)
    async with aiohttp.ClientSession() as client:
        with locked(site):
            await observer.until_told("delayed")
            assert not await server.is_ready(client)
            newcomer = watch(person=1)
            await newcomer.until_told("delayed")
        await observer.until_told("delayed", 2)
        assert [frame["delayed"] for frame in observer.told("delayed")] == [True, False]
        assert await server.is_ready(client)
    for one in (observer, newcomer):
        await one.until_sealed()
    assert problems(site, [observer, newcomer]) == []
