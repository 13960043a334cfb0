"""Every page in both themes and on a small screen: readable by all, and nothing beyond the edge."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.acting import (
    ENDLESS,
    expect_answered,
    expect_words,
    search,
    send,
    start,
    stop,
)
from tests.browser.conftest import Visit
from tests.browser.controlling import open_menu, reset, take_checkpoint

SMALL: ViewportSize = {"width": 360, "height": 740}
PAGES = (
    "/",
    "/workspaces/demo/?archived=1",
    "/workspaces/demo/conversations/new/",
    "/workspaces/",
    "/workspaces/demo/settings/",
    "/workspaces/demo/members/",
    "/workspaces/demo/invitations/",
    "/workspaces/demo/search/?q=kelp",
    "/workspaces/demo/deleted/",
    "/workspaces/demo/tokens/",
    "/account/",
    "/password/",
    "/nowhere/",
    "/workspaces/demo/agents/",
    "/workspaces/demo/tool-servers/",
)
# What the menu of a conversation calls them, and what they call themselves.
DIALOGS = {
    "New session …": "Start a new session?",
    "History": "History",
    "Who can see this?": "Who can see this?",
    "Title, agent, prompt": "Title, agent, prompt",
    "Take a checkpoint": "Take a checkpoint",
    "Delete …": "Delete this conversation?",
}


def violations(page: Page) -> list[Any]:
    """What is serious to those who see or point otherwise, in the light theme and in the dark one."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = serious(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found + serious(page, runOnly=["color-contrast"])


def serious(page: Page, **options: Any) -> list[Any]:
    whole = {"exclude": [["#nav-sidebar"]]}  # which is Django's own
    found = Axe().run(page, context=whole, options={"preload": False, **options}).response["violations"]
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"]][:3])
        for violation in found
        if violation["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def test_a_conversation_and_its_dialogs(visit: Visit) -> None:
    page = visit()
    start(page, "fast think 5; tool calculator 6 * 7; markdown")
    expect_answered(page)
    take_checkpoint(page, "Decision")
    reset(page, "to have a history")
    page.get_by_role("button", name="Undo").click()
    expect_answered(page)
    assert violations(page) == []
    for entry, heading in DIALOGS.items():
        open_menu(page, entry)
        dialog = page.get_by_role("dialog", name=heading)
        expect(dialog).to_be_visible()
        assert (entry, violations(page)) == (entry, [])
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    page.keyboard.press("Control+k")
    search(page, "kelp", page.locator(".search-hit").first)
    assert violations(page) == []


def test_answers_that_did_not_end_well(visit: Visit) -> None:
    page = visit()
    start(page, "fail after 3")
    expect_answered(page)
    send(page, "tokens 300 at 100/s; hang after 5")
    expect_words(page, "word5")
    send(page, "echo this one waits")
    expect(page.locator(".badge-waiting")).to_be_visible()
    assert violations(page) == []
    stop(page)
    expect_answered(page, 3)
    assert violations(page) == []


def test_an_archived_session(visit: Visit) -> None:
    page = visit()
    start(page, "echo put away")
    expect_answered(page)
    reset(page)
    page.locator(".notice").get_by_role("link").click()
    expect(page.get_by_role("button", name="Restore this session")).to_be_visible()
    assert violations(page) == []


def test_the_other_pages(visit: Visit) -> None:
    page = visit()
    for path in PAGES:
        page.goto(path)
        assert (path, violations(page)) == (path, [])
    page.context.clear_cookies()
    page.goto("/login/")
    assert violations(page) == []


def test_what_an_operator_sees(visit: Visit) -> None:
    """On the pages that are ours; the lists are as Django makes them."""
    alice = visit()
    start(alice, ENDLESS)
    expect_words(alice, "word5 ")
    page = visit("/admin/recovery/", name="olga")
    assert violations(page) == []
    for link in ("Transcript", "Release …"):
        page.goto("/admin/recovery/")
        page.get_by_role("link", name=link).first.click()
        assert (link, violations(page)) == (link, [])
    page.set_viewport_size(SMALL)
    page.goto("/admin/recovery/")
    assert overflow(page) == 0
    stop(alice)
    expect_answered(alice)


def test_a_small_dark_screen(visit: Visit) -> None:
    page = visit(viewport=SMALL, color_scheme="dark", has_touch=True)
    for path in PAGES:
        page.goto(path)
        assert (path, overflow(page)) == (path, 0)
    start(page, "fast markdown")
    expect_answered(page)
    assert overflow(page) == 0
    assert page.locator(".scroller").evaluate("element => element.scrollWidth - element.clientWidth") == 0
    for entry, heading in DIALOGS.items():
        open_menu(page, entry)
        expect(page.get_by_role("dialog", name=heading)).to_be_visible()
        assert (entry, overflow(page)) == (entry, 0)
        page.keyboard.press("Escape")
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
def test_a_token_is_made_copied_and_revoked(visit: Visit, size: ViewportSize) -> None:
    page = visit(viewport=size)
    page.goto("/workspaces/demo/settings/")
    page.get_by_role("link", name="Your tokens").click()
    name = f"script {size['width']}"
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
