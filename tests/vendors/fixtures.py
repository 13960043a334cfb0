"""What tests need of the vendors' server: the server, and an end to the client that asked it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from chat.providers.http import close_client
from tests.vendors.running import RunningVendor, running_vendor


@pytest.fixture
def vendor() -> Iterator[RunningVendor]:
    with running_vendor() as running:
        yield running


@pytest_asyncio.fixture
async def client_closed() -> AsyncIterator[None]:
    """Closes what the test's event loop has opened towards vendors."""
    yield
    await close_client()
