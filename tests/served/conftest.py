"""One served site for all tests of a process, with the demo team and tokens as its people make them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.site import ROOT, Site

Token = Callable[[str, str], str]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("served"))
    site.environment["HOLDFAST_API_REQUESTS_A_SECOND"] = "10000"
    site.environment["HOLDFAST_RATE_PERCENT"] = "10000"
    # The files of `make setup`, which other tests need as well: collecting them takes seconds.
    site.environment["HOLDFAST_STATIC_DIR"] = str(ROOT / ".static")
    for words in (["migrate"], ["create_demo"]):
        site.run("manage.py", *words, "--verbosity", "0")
    site.start()
    yield site
    site.kill()


@pytest.fixture(scope="session")
def token(served: Site) -> Token:
    """Somebody's token of a scope, made at the command line; the same each time."""

    @functools.cache
    def make(username: str, scope: str) -> str:
        words = ["create_token", username, "--name", "test", "--scope", scope, "--json"]
        made: dict[str, Any] = json.loads(served.run("manage.py", *words))
        return str(made["token"])

    return make
