"""What every test shares."""

import os
import shutil

import pytest
from django.core.cache import cache

from chat import rates
from chat.api import throttles
from sessions_app.services import search
from tests import no_skips

pytest_plugins = [
    "tests.crash.ledger",
    "tests.figures",
    "tests.chat.live",
    "tests.sessions_app.fresh_database",
    "tests.sessions_app.guards_lifted",
    "tests.tool_servers.fixtures",
    "tests.vendors.fixtures",
]


@pytest.fixture(autouse=True)
def nobody_did_anything_before() -> None:
    """Failed sign-ins and whatever else has a rate are counted in memory, which tests of one process share."""
    cache.clear()
    for buckets in (rates.people, rates.addresses, throttles.buckets):
        buckets.clear()


@pytest.fixture(autouse=True)
def a_search_waits_for_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """People are not kept waiting for what was said a moment ago; on a loaded machine a test has to be."""
    monkeypatch.setattr(search, "CATCH_UP_SECONDS", 60)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(no_skips)


def pytest_unconfigure(config: pytest.Config) -> None:
    """The first process of a run made the folder; its workers leave it alone."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ.pop("HOLDFAST_TEST_DIR"), ignore_errors=True)
