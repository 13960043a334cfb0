"""F3: an owner that sleeps past its lease and wakes has lost its turn, and writes nothing more into it."""

from __future__ import annotations

import contextlib
import signal
import sqlite3

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.ledger import rarely
from tests.crash.sites import Server, Site, free_port

LEASE_SECONDS = 3


def stop_between_transactions(site: Site, server: Server) -> None:
    """A process that sleeps inside a transaction would hold SQLite's only lock, and nobody could take over."""
    while True:
        server.process.send_signal(signal.SIGSTOP)
        with contextlib.closing(
            sqlite3.connect(site.database, timeout=0.2, isolation_level=None)
        ) as database:
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
            except sqlite3.OperationalError:
                server.process.send_signal(signal.SIGCONT)
            else:
                return


@pytest.mark.fault("F3 the owner sleeps past its lease, another takes over, the owner wakes")
@rarely()
async def test_a_sleeper_writes_nothing_when_it_wakes(site: Site, watch: Watch, seed: int) -> None:
    first = await site.restart(lease_seconds=LEASE_SECONDS)
    second = await site.restart(port=free_port(), lease_seconds=LEASE_SECONDS)
    at_first, at_second = watch(person=0), watch(person=1, port=second.port)
    await at_first.post("think 20; tokens 500 at 60/s")
    await at_second.until_said(10 + 5 * (seed % 20))
    [name] = site.owners()
    is_first = f"-{first.process.pid}-" in name
    owner, at_owner, at_other = (first, at_first, at_second) if is_first else (second, at_second, at_first)
    stop_between_transactions(site, owner)
    await at_other.until_shown("turn_resumed")
    await at_other.until_said(at_other.words + 10)
    owner.process.send_signal(signal.SIGCONT)
    for observer in (at_owner, at_other):
        await observer.until_sealed()
    assert problems(site, [at_owner, at_other]) == []


@pytest.mark.fault("F3 two servers for one queue, one of them killed")
@rarely()
async def test_two_servers_share_the_queue_and_one_goes_on_for_both(
    site: Site, watch: Watch, seed: int
) -> None:
    first, second = await site.restart(), await site.restart(port=free_port())
    observers = [watch(number, port=second.port) for number in range(4)]
    for observer in observers:
        await observer.post("tokens 150 at 60/s")
        await observer.until_said(3)
    first.kill()
    for observer in observers:
        await observer.until_sealed()
    assert problems(site, observers) == []
