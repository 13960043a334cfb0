"""F6: no room for another byte in the middle of a reply: what is not saved is not shown, and room is enough."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch, eventually
from tests.crash.ledger import rarely
from tests.crash.sites import Server, Site


@contextlib.contextmanager
def no_more_pages(site: Site, server: Server) -> Iterator[None]:
    """SQLite itself says that the disk is full."""
    flag = site.folder / "full"
    flag.touch()
    yield
    flag.unlink()


@contextlib.contextmanager
def no_longer_files(site: Site, server: Server) -> Iterator[None]:
    """The kernel refuses to let the process write beyond the end of the journal file."""
    size = Path(f"{site.database}-wal").stat().st_size
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, before[1]))
    yield
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


FULL: dict[str, Callable[[Site, Server], contextlib.AbstractContextManager[None]]] = {
    "no more pages": no_more_pages,
    "no longer files": no_longer_files,
}


@pytest.mark.fault("F6 the disk is full in the middle of a reply, then freed")
@pytest.mark.parametrize("how", FULL)
@rarely()
async def test_a_full_disk_stops_the_reply_until_there_is_room(
    site: Site, watch: Watch, how: str, seed: int
) -> None:
    server = await site.restart(delay_shown_seconds=1, full_while=str(site.folder / "full"))
    observers = [watch(number, person=number) for number in range(2)]
    for observer in observers:
        await observer.post("tokens 1000 at 100/s")
        await observer.until_said(3)
    async with aiohttp.ClientSession() as client:
        with FULL[how](site, server):
            for observer in observers:
                await observer.until_told("delayed")
            assert not await server.is_ready(client)
            ends = [site.last_seq(observer.place) for observer in observers]
            for observer, end in zip(observers, ends, strict=True):
                await observer.until_at(end)
            refusal = await observers[0].ask("post", **observers[0].message("x" * 60_000, "too much"))
            assert refusal is not None
            assert refusal["code"] == "database_busy"
            await asyncio.sleep(0.5)  # is this silence, or was it only slow?
            assert [observer.cursor for observer in observers] == ends
        for observer in observers:
            await observer.until_sealed()
        await eventually(lambda: server.is_ready(client), what="it is ready again")
    assert problems(site, observers) == []
