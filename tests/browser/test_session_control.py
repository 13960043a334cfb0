"""Sessions as people handle them: reset after a look, undo, the history, and two people at once."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.acting import (
    composer,
    expect_answered,
    expect_words,
    numbered,
    replies,
    start,
    words_of,
)
from tests.browser.conftest import Visit
from tests.browser.controlling import (
    confirm,
    expect_said,
    open_history,
    open_menu,
    open_reset,
    reset,
    state,
    take_checkpoint,
)
from tests.browser.site import Site


def test_the_dialog_says_what_and_where_and_escape_changes_nothing(site: Site, visit: Visit) -> None:
    page = visit()
    address = start(page, "echo one")
    expect_answered(page)
    before = state(site, address)
    open_menu(page, "New session …")
    dialog = page.get_by_role("dialog", name="Start a new session?")
    expect(dialog).to_contain_text("session 1 with 2 messages")
    expect(dialog).to_contain_text(str(before["session"]))
    expect(dialog).to_contain_text("the history of chat:")
    expect(page.get_by_label("Reason, for everybody to read")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert state(site, address) == before


def test_a_reset_is_seen_by_everybody_with_its_reason_and_can_be_undone(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    address = start(alice, "echo keep me")
    expect_answered(alice)
    mia.goto(address)
    expect_answered(mia)
    composer(alice).fill("half a thought")
    reset(alice, "a new topic")
    expect_said(alice, "Session 2 with 0 messages is active now; session 1 with 2 messages")
    for page in (alice, mia):
        notice = page.locator(".notice", has_text="Alice started a new session")
        expect(notice).to_contain_text("a new topic")
        expect(notice.get_by_role("link")).to_contain_text("session 1 with its 2 messages is kept")
        expect(replies(page)).to_have_count(0)
        expect(page.locator(".conversation-facts")).to_contain_text("session 2")
    expect(composer(alice)).to_have_value("half a thought")
    expect(alice.locator(".message")).to_have_count(0)
    alice.get_by_role("button", name="Undo").click()
    for page in (alice, mia):
        expect(words_of(expect_answered(page))).to_have_text("keep me")
        expect(page.locator(".conversation-facts")).to_contain_text("session 1")


def test_a_command_in_the_composer_opens_the_dialog_and_sends_nothing(site: Site, visit: Visit) -> None:
    page = visit()
    address = start(page, "echo here")
    expect_answered(page)
    before = state(site, address)
    for words, left in (("/new", ""), ("/RESET and then this", "/RESET and then this")):
        composer(page).fill(words)
        composer(page).press("Enter")
        dialog = page.get_by_role("dialog", name="Start a new session?")
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(composer(page)).to_have_value(left)
        composer(page).fill("")
    assert state(site, address) == before


def test_a_reset_while_an_answer_runs_keeps_its_text(visit: Visit) -> None:
    page = visit()
    start(page, "tokens 2000 at 100/s; hang after 10")
    expect_words(page, "word10")
    reset(page)
    page.locator(".notice").get_by_role("link").click()
    expect(page.locator(".banner", has_text="which is archived")).to_be_visible()
    expect(words_of(replies(page).last)).to_have_text(numbered(10))
    expect(replies(page).last).to_contain_text("Stopped")


def test_the_history_brings_a_session_and_a_checkpoint_back(site: Site, visit: Visit) -> None:
    page = visit()
    address = start(page, "echo first")
    expect_answered(page)
    take_checkpoint(page, "Decision")
    before = state(site, address)
    reset(page, "tidy")
    drawer = open_history(page)
    expect(drawer).to_contain_text("Alice started session 2: tidy")
    drawer.get_by_role("button", name="Restore Decision").click()
    expect_said(page, "Session 3 with 2 messages is active now")
    expect(words_of(expect_answered(page))).to_have_text("first")
    assert state(site, address)["digest"] == before["digest"]
    open_history(page)
    drawer.get_by_role("button", name="Restore session 1").click()
    expect(page.locator(".conversation-facts")).to_contain_text("session 1")
    assert state(site, address)["session"] == before["session"]


def test_an_archived_session_is_read_and_restored_from_its_own_page(visit: Visit) -> None:
    page = visit()
    start(page, "echo precious")
    expect_answered(page)
    reset(page)
    page.locator(".notice").get_by_role("link").click()
    expect(composer(page)).to_have_count(0)
    page.get_by_role("button", name="Restore this session").click()
    page.wait_for_url(re.compile("/conversations/"))
    expect_said(page, "Session 1 with 2 messages is active now")
    expect(words_of(expect_answered(page))).to_have_text("precious")


def test_a_dialog_that_was_left_open_over_a_restart_resets_nothing_twice(site: Site, visit: Visit) -> None:
    one, other = visit(), visit()
    address = start(one, "echo once")
    expect_answered(one)
    other.goto(address)
    expect_answered(other)
    for page in (one, other):
        open_reset(page)
    site.kill()
    site.start()
    confirm(one)
    expect(one.locator(".toast-offer")).to_be_visible()
    confirm(other)
    expect(other.get_by_role("alert")).to_contain_text("moved to another session")
    other.reload()
    expect(other.get_by_role("dialog")).to_have_count(0)
    assert (state(site, address)["sessions"], state(site, address)["moves"]) == (2, 2)


def test_a_deleted_conversation_comes_back_whole(site: Site, visit: Visit) -> None:
    page = visit()
    address = start(page, "echo do not lose me")
    expect_answered(page)
    before = state(site, address)
    open_menu(page, "Delete …")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_url(re.compile("/deleted/"))
    row = page.locator(".row", has=page.locator(f'a[href="{re.sub("^https?://[^/]+", "", address)}"]'))
    row.get_by_role("button", name=re.compile("Restore")).click()
    page.wait_for_url(address)
    expect(words_of(expect_answered(page))).to_have_text("do not lose me")
    assert state(site, address) == before


def test_of_two_who_reset_at_once_one_does_and_the_other_is_told(site: Site, visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    address = start(alice, "echo one of us")
    expect_answered(alice)
    mia.goto(address)
    expect_answered(mia)
    open_reset(alice, "mine")
    open_reset(mia, "mine")
    at_once(alice, mia, press("#new-session [type=submit]"))
    for page in (alice, mia):
        expect(page.locator(".conversation-facts")).to_contain_text("session 2")
        expect(replies(page)).to_have_count(0)
    told = [page for page in (alice, mia) if page.locator(".toast-offer").count() == 0]
    assert len(told) == 1
    expect(told[0].get_by_role("alert")).to_contain_text("moved to another session")
    expect(told[0].locator(".notice", has_text="started a new session")).to_be_visible()
    assert (state(site, address)["sessions"], state(site, address)["moves"]) == (2, 2)


def test_of_two_who_restore_different_things_at_once_one_does_and_the_other_is_told(
    site: Site, visit: Visit
) -> None:
    alice, mia = visit(), visit(name="mia")
    address = start(alice, "echo first")
    expect_answered(alice)
    take_checkpoint(alice, "Decision")
    before = state(site, address)
    reset(alice)
    mia.goto(address)
    expect_answered(mia, 0)
    session, checkpoint = "[aria-label='Restore session 1']", "[aria-label='Restore Decision']"
    for page, button in ((alice, session), (mia, checkpoint)):
        expect(open_history(page).locator(button)).to_be_visible()
    at_once(alice, mia, press(session), press(checkpoint))
    for page in (alice, mia):
        expect(words_of(expect_answered(page))).to_have_text("first")
    done, refused = sorted(page.locator(".toast").last.inner_text() for page in (alice, mia))
    assert "is active now" in done
    assert "moved to another session" in refused
    after = state(site, address)
    assert (after["digest"], after["context"]) == (before["digest"], before["context"])
    assert after["moves"] == 3


def press(button: str) -> str:
    return f"document.querySelector({button!r}).click()"


def at_once(one: Page, other: Page, first: str, second: str = "") -> None:
    """Both pages act at the same moment of the clock, which they are told beforehand."""
    moment = one.evaluate("Date.now() + 300")
    for page, act in ((one, first), (other, second or first)):
        page.evaluate(f"moment => {{ setTimeout(() => {{ {act} }}, moment - Date.now()); }}", moment)
