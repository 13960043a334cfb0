"""What every test of faults shares: a fresh site, and observers that watch it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.crash.observer import Observer
from tests.crash.sites import LOOK_SECONDS, WAIT_SECONDS, Site, copied_site, new_site

PEOPLE, CONVERSATIONS = 25, 4

Watch = Callable[..., Observer]


async def eventually(is_so: Callable[[], bool | Awaitable[bool]], *, what: str) -> None:
    """Returns when it is so; looks again and again."""
    until = time.monotonic() + WAIT_SECONDS
    while not (found if isinstance(found := is_so(), bool) else await found):
        assert time.monotonic() < until, f"waited in vain until {what}"
        await asyncio.sleep(LOOK_SECONDS)


@pytest.fixture(scope="session")
def first_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return new_site(tmp_path_factory.mktemp("site"), people=PEOPLE, conversations=CONVERSATIONS)


@pytest.fixture
def site(first_site: Site, tmp_path: Path) -> Iterator[Site]:
    site = copied_site(first_site, tmp_path)
    yield site
    site.end()


@pytest_asyncio.fixture
async def watch(site: Site) -> AsyncIterator[Watch]:
    """Opens a tab of some person on some conversation; all are closed at the end."""
    watching: list[asyncio.Task[None]] = []

    def open_tab(conversation: int = 0, *, person: int = 0, port: int = 0) -> Observer:
        observer = Observer(site, site.places[conversation], site.cookies[person], port)
        watching.append(asyncio.create_task(observer.watch()))
        return observer

    yield open_tab
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
