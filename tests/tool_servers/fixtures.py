"""The tool servers as fixtures: the real one is started once for a whole run, as it keeps nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tool_servers.hostile import Hostile, running_hostile
from tests.tool_servers.running import RunningToolServer, running_tool_server


@pytest.fixture(scope="session")
def tool_server() -> Iterator[RunningToolServer]:
    with running_tool_server() as running:
        yield running


@pytest.fixture
def mortal_tool_server() -> Iterator[RunningToolServer]:
    """One that a test may kill, or change."""
    with running_tool_server() as running:
        yield running


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    with running_hostile() as running:
        yield running
