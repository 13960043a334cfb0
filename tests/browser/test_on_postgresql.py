"""The same page on PostgreSQL: one way through it, a kill included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.acting import expect_answered, expect_words, numbered, start, words_of
from tests.browser.site import Site
from tests.provision.temporary_postgres import temporary_postgres


@pytest.fixture
def on_postgresql(tmp_path: Path) -> Iterator[Site]:
    with temporary_postgres() as server:
        site = Site(tmp_path)
        site.environment["DATABASE_URL"] = server.url
        site.prepare()
        site.start()
        yield site
        site.kill()


def test_a_reply_outlives_a_kill_and_a_reset_is_taken_back(on_postgresql: Site, browser: Browser) -> None:
    site, context = on_postgresql, browser.new_context(base_url=on_postgresql.url)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    start(page, "tokens 200 at 40/s")
    expect_words(page, "word20 ")
    site.kill()
    site.start()
    expect(words_of(expect_answered(page))).to_have_text(numbered(200))
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name="New session …").click()
    page.get_by_role("button", name="Start a new session").click()
    page.locator(".toast-offer").get_by_role("button", name="Undo").click()
    expect(words_of(expect_answered(page))).to_have_text(numbered(200))
    assert "Everything is in order" in site.run("manage.py", "verify")
    context.close()
