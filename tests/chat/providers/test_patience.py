"""Patience ends a wait that lasts too long, and only that."""

import asyncio

from chat.providers.patience import Patience


async def test_a_wait_that_lasts_too_long_is_given_up_once() -> None:
    given_up: list[bool] = []
    done = asyncio.Event()

    def give_up() -> None:
        given_up.append(True)
        done.set()

    patience = Patience(0.05, give_up)
    patience.begin()
    await asyncio.wait_for(done.wait(), 30)
    await asyncio.sleep(0.1)
    assert given_up == [True]
    assert patience.is_over


async def test_time_between_waits_does_not_count() -> None:
    patience = Patience(0.5, lambda: None)
    for _ in range(2):
        patience.begin()
        await asyncio.sleep(0)
        patience.end()
        await asyncio.sleep(0.6)
    assert not patience.is_over
    patience.close()


async def test_a_changed_limit_holds_for_the_wait_that_follows() -> None:
    done = asyncio.Event()
    patience = Patience(600, done.set)
    patience.change(0.02)
    patience.begin()
    await asyncio.wait_for(done.wait(), 30)
    assert patience.is_over
