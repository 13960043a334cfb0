"""Sites that are served, with the demo team and tokens as its people make them."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.site import ROOT, Site


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Site]:
    site = Site(folder)
    site.environment["HOLDFAST_API_REQUESTS_A_SECOND"] = "10000"
    site.environment["HOLDFAST_RATE_PERCENT"] = "10000"
    # The files of `make setup`, which other tests need as well: collecting them takes seconds.
    site.environment["HOLDFAST_STATIC_DIR"] = str(ROOT / ".static")
    for words in (["migrate"], ["create_demo"]):
        site.run("manage.py", *words, "--verbosity", "0")
    site.start()
    try:
        yield site
    finally:
        site.kill()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all tests of a process that leave the demo team as it is."""
    with serving(tmp_path_factory.mktemp("served")) as site:
        yield site


@functools.cache
def token_of(site: Site, username: str, scope: str) -> str:
    """Made at the command line; the same each time."""
    words = ["create_token", username, "--name", "test", "--scope", scope, "--json"]
    made: dict[str, Any] = json.loads(site.run("manage.py", *words))
    return str(made["token"])
