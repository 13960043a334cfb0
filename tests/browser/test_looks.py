"""Every page in both themes and on a small screen: readable by all, and nothing beyond the edge."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.acting import expect_answered, search, start, stop
from tests.browser.conftest import Visit

SMALL = {"width": 360, "height": 740}


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def violations(page: Page) -> list[Any]:
    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"]][:3])
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def test_a_conversation(visit: Visit, theme: str) -> None:
    page = visit(color_scheme=theme)
    start(page, "fast think 5; tool calculator 6 * 7; markdown")
    expect_answered(page)
    assert violations(page) == []
    page.keyboard.press("Control+k")
    search(page, "kelp", page.locator(".search-hit").first)
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator(".conversation-head").get_by_title("More").click()
    page.get_by_role("button", name="Title, agent, prompt").first.click()
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/", "/workspaces/demo/settings/", "/workspaces/demo/search/?q=kelp"])
def test_the_other_pages(visit: Visit, theme: str, path: str) -> None:
    page = visit(path, color_scheme=theme)
    assert violations(page) == []


def test_the_login_page(visit: Visit, theme: str) -> None:
    page = visit(color_scheme=theme)
    page.context.clear_cookies()
    page.goto("/login/")
    assert violations(page) == []


def test_a_small_dark_screen(visit: Visit) -> None:
    page = visit(viewport=SMALL, color_scheme="dark", has_touch=True)
    for path in ("/", "/workspaces/demo/settings/", "/workspaces/demo/conversations/new/"):
        page.goto(path)
        assert overflow(page) == 0, path
    start(page, "fast markdown")
    expect_answered(page)
    assert overflow(page) == 0
    assert page.locator(".scroller").evaluate("element => element.scrollWidth - element.clientWidth") == 0
    assert violations(page) == []
    page.get_by_role("link", name="Back to the conversations").click()
    expect(page.locator(".conversation-list").first).to_be_visible()
    assert violations(page) == []


def test_one_long_word_does_not_widen_the_page(visit: Visit) -> None:
    page = visit(viewport=SMALL)
    start(page, "echo " + "x" * 3_000)
    expect_answered(page)
    assert overflow(page) == 0
    assert page.locator(".scroller").evaluate("element => element.scrollWidth - element.clientWidth") == 0


def test_nothing_moves_for_those_who_want_it_still(visit: Visit) -> None:
    page = visit(reduced_motion="reduce")
    start(page, "tokens 9; hang after 2")
    badge = page.locator(".badge-live")
    expect(badge).to_be_visible()
    assert badge.evaluate("element => getComputedStyle(element, '::before').animationDuration") == "0s"
    stop(page)


def test_on_paper_only_the_words_are_left(visit: Visit) -> None:
    page = visit()
    start(page, "echo for the record")
    expect_answered(page)
    page.emulate_media(media="print")
    expect(page.locator(".sidebar")).to_be_hidden()
    expect(page.locator(".composer")).to_be_hidden()
    expect(page.locator(".message-agent")).to_be_visible()


@pytest.mark.parametrize("size", [SMALL, {"width": 1280, "height": 800}], ids=["small", "wide"])
def test_a_token_is_made_copied_and_revoked(visit: Visit, theme: str, size: dict[str, int]) -> None:
    page = visit(color_scheme=theme, viewport=size)
    page.goto("/workspaces/demo/settings/")
    page.get_by_role("link", name="Your tokens").click()
    name = f"script {theme} {size['width']}"
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make it").click()
    token = page.get_by_label("The token")
    expect(token).to_be_visible()
    page.get_by_role("button", name="Copy the token").click()
    expect(page.locator(".toast")).to_have_text("Code copied")
    page.locator("summary", has_text="Revoke").first.click()
    assert (violations(page), overflow(page)) == ([], 0)
    page.get_by_role("button", name=f"Revoke {name}").click()
    expect(page.locator(".row-name", has_text=name)).to_have_count(0)
    expect(token).to_have_count(0)
