"""Sessions as people handle them: reset after a look, undo, the history, and the incident that began it all."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.acting import (
    composer,
    expect_answered,
    expect_words,
    numbered,
    replies,
    send,
    start,
    words_of,
)
from tests.browser.conftest import Visit
from tests.browser.site import Site

STATE = """
import django, json, sys; django.setup()
from sessions_app.models import *
marks = Checkpoint.objects.filter(kind="manual", session__conversation__public_id=sys.argv[1])
c = Conversation.objects.get(public_id=sys.argv[1])
print(json.dumps({
    "session": str(c.active_session.public_id),
    "number": c.active_session.number,
    "digest": c.active_session.head_digest,
    "messages": c.active_session.message_count,
    "sessions": c.sessions.count(),
    "checkpoints": sorted(marks.values_list("name", flat=True)),
    "moves": AuditEntry.objects.pointer_moves().filter(conversation_id=c.pk).count(),
}))
"""


def state(site: Site, address: str) -> dict[str, object]:
    """What the database says of the conversation at this address."""
    site.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    public_id = re.search(r"[0-9a-f-]{36}", address)
    assert public_id
    found: dict[str, object] = json.loads(site.run("-c", STATE, public_id[0]))
    return found


def open_menu(page: Page, entry: str) -> None:
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name=entry).click()


def reset(page: Page, reason: str = "") -> None:
    open_menu(page, "New session …")
    page.get_by_label("Reason, for everybody to read").fill(reason)
    page.get_by_role("button", name="Start a new session").click()
    expect(page.get_by_role("dialog", name="Start a new session?")).to_be_hidden()


def expect_said(page: Page, words: str) -> None:
    """With the offer to take it back."""
    expect(page.locator(".toast-offer")).to_contain_text(words)
    expect(page.locator(".toast-offer").get_by_role("button", name="Undo")).to_be_visible()


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
    reset(alice, "a new topic")
    expect_said(alice, "Session 2 with 0 messages is active now; session 1 with 2 messages")
    for page in (alice, mia):
        notice = page.locator(".notice", has_text="Alice started a new session")
        expect(notice).to_contain_text("a new topic")
        expect(notice.get_by_role("link")).to_contain_text("session 1 with its 2 messages is kept")
        expect(replies(page)).to_have_count(0)
        expect(page.locator(".conversation-facts")).to_contain_text("session 2")
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
    open_menu(page, "Take a checkpoint")
    page.get_by_label("Name", exact=True).fill("Decision")
    page.get_by_role("button", name="Take it").click()
    before = state(site, address)
    reset(page, "tidy")
    open_menu(page, "History")
    drawer = page.get_by_role("dialog", name="History")
    expect(drawer).to_contain_text("Alice started session 2: tidy")
    drawer.get_by_role("button", name="Restore Decision").click()
    expect_said(page, "Session 3 with 2 messages is active now")
    expect(words_of(expect_answered(page))).to_have_text("first")
    assert state(site, address)["digest"] == before["digest"]
    open_menu(page, "History")
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
        open_menu(page, "New session …")
        expect(page.get_by_role("dialog", name="Start a new session?")).to_be_visible()
    site.kill()
    site.start()
    one.get_by_role("button", name="Start a new session").click()
    expect(one.locator(".toast-offer")).to_be_visible()
    other.get_by_role("button", name="Start a new session").click()
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


def test_the_incident(site: Site, visit: Visit, browser: Browser) -> None:
    """A chat that silently went to a new session and hid a thousand messages: here every step of it is tried."""
    page = visit()
    address = start(page, "echo the first of many")
    expect_answered(page)
    for number in range(2, 8):
        send(page, f"echo number {number}")
        expect_answered(page, number)
    open_menu(page, "Take a checkpoint")
    page.get_by_label("Name", exact=True).fill("Before the crash")
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".toast", has_text="Before the crash")).to_be_visible()
    before = state(site, address)

    site.kill()
    site.start()
    send(page, "echo still the same session?")
    expect_answered(page, 8)
    composer(page).fill("/new what was I saying")
    composer(page).press("Enter")
    expect(page.get_by_role("dialog", name="Start a new session?")).to_be_visible()
    page.keyboard.press("Escape")
    after = state(site, address)
    unchanged = ("session", "number", "sessions", "checkpoints", "moves")
    assert {name: after[name] for name in unchanged} == {name: before[name] for name in unchanged}
    assert after["messages"] == 16

    composer(page).fill("")
    reset(page, "on purpose")
    expect(replies(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect_answered(page, 8)
    assert state(site, address)["digest"] == after["digest"]

    reset(page, "and again")
    restore_in_admin(site, browser, str(after["session"]))
    expect_answered(page, 8)
    restored = state(site, address)
    assert (restored["session"], restored["digest"]) == (after["session"], after["digest"])
    assert json.loads(site.run("manage.py", "verify", "--json"))["findings"] == []


def restore_in_admin(site: Site, browser: Browser, session: str) -> None:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/admin/login/?next=/admin/recovery/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Somebody's chat is gone?").fill(session)
    page.get_by_role("button", name="Find its sessions").click()
    page.get_by_title(re.compile("Make session 1 ")).click()
    expect(page.locator(".messagelist")).to_contain_text("with 16 messages is active now")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    context.close()
