"""A real site, served by a real process, and people who visit it with a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.lingering import lingering_script
from tests.browser.site import Site
from tests.provision.chromium import ARGUMENTS, chromium

WAIT_MILLISECONDS = 20_000

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": str(chromium()), "args": list(ARGUMENTS)}


@pytest.fixture(scope="session", autouse=True)
def patience() -> None:
    expect.set_options(timeout=WAIT_MILLISECONDS)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all tests of a worker; each test has conversations of its own."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.prepare()
    site.start()
    yield site
    site.kill()


@pytest.fixture(scope="session")
def logins(site: Site, browser: Browser) -> dict[str, Any]:
    """What a browser keeps of somebody who has logged in; each logs in once."""
    found: dict[str, Any] = {}
    for name in ("alice", "mia", "vera", "olga"):
        context = browser.new_context(base_url=site.url)
        page = context.new_page()
        page.goto("/login/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(site.password)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(lambda address: "/login/" not in address)
        found[name] = context.storage_state()
        context.close()
    return found


class Watch:
    """What a page must not do: fail in a script, or ask anybody but the site."""

    def __init__(self, page: Page, site: Site) -> None:
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._requested(request.url, site))

    def _requested(self, url: str, site: Site) -> None:
        if not url.startswith((site.url, site.url.replace("http", "ws"), "data:", "blob:")):
            self.problems.append(f"foreign request: {url}")


@pytest.fixture
def visit(site: Site, browser: Browser, logins: dict[str, Any]) -> Iterator[Visit]:
    """Opens an address as somebody, in a browser context of their own."""
    contexts: list[BrowserContext] = []
    watches: list[Watch] = []

    def open_page(path: str = "/", *, name: str = "alice", **options: Any) -> Page:
        context = browser.new_context(base_url=site.url, storage_state=logins[name], **options)
        context.set_default_timeout(WAIT_MILLISECONDS)
        context.add_init_script(lingering_script())
        contexts.append(context)
        page = context.new_page()
        watches.append(Watch(page, site))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [problem for watch in watches for problem in watch.problems] == []


@pytest.fixture(scope="session")
def units() -> Path:
    return Path(__file__).parent / "units"
