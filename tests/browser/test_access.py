"""Who can see a conversation, as people meet it: the mark, the dialog, and the pane that says why it is gone."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.acting import ENDLESS, composer, expect_answered, expect_growing, send, start, stop
from tests.browser.conftest import Visit
from tests.browser.site import Site


def closed_for(page: Page, *names: str) -> str:
    """alice begins a private conversation with a reply that does not end, and names people in it."""
    address = start(page, ENDLESS)
    share(page).get_by_label("Private").check()
    share(page).get_by_role("button", name="Change").click()
    expect(share(page).get_by_role("listitem")).to_have_count(1)
    for somebody in names:
        name(page, somebody)
    share(page).get_by_role("button", name="Close").click()
    return address


def share(page: Page) -> Locator:
    """The dialog, open."""
    dialog = page.get_by_role("dialog", name="Who can see this?")
    if not dialog.is_visible():
        page.get_by_role("button", name=": people").click()
        expect(dialog).to_be_visible()
    return dialog


def person(page: Page, somebody: str) -> Locator:
    return share(page).get_by_role("listitem").filter(has_text=somebody)


def name(page: Page, somebody: str, level: str = "may write") -> None:
    share(page).get_by_label("Name somebody").select_option(label=somebody)
    share(page).get_by_label("They").select_option(label=level)
    share(page).get_by_role("button", name="Name", exact=True).click()
    expect(person(page, somebody).get_by_role("combobox")).to_be_visible()


def test_who_is_taken_out_while_a_reply_streams_is_told_why_and_the_others_go_on(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    address = closed_for(alice, "Mia")
    mia.goto(address)
    for page in (alice, mia):
        expect_growing(page)
    composer(mia).fill("I was about to say")
    person(alice, "Mia").get_by_role("button", name="Take Mia out").click()
    expect(mia.get_by_role("heading", name="This conversation is no longer shown to you")).to_be_visible()
    expect(mia.get_by_text("I was about to say")).to_be_visible()
    expect(mia.locator(".transcript")).to_have_count(0)
    expect(mia.locator(f'[href*="{address.split("/")[-2]}"]')).to_have_count(0)
    expect(share(alice).get_by_role("listitem")).to_have_count(1)
    share(alice).get_by_role("button", name="Close").click()
    expect_growing(alice)
    stop(alice)
    mia.goto(address)
    expect(mia.get_by_role("heading", name="Nothing is here")).to_be_visible()
    name(alice, "Mia")
    mia.goto(address)
    expect(composer(mia)).to_have_value("I was about to say")


def test_who_may_only_view_from_now_on_keeps_what_they_wrote_and_sends_nothing(visit: Visit) -> None:
    alice, mia = visit(), visit(name="mia")
    mia.goto(closed_for(alice, "Mia"))
    expect_growing(mia)
    composer(mia).fill("Half a thought")
    person(alice, "Mia").get_by_role("combobox").select_option(label="may view")
    expect(
        mia.get_by_text("You may only read here now. What you have written stays in this box.")
    ).to_be_visible()
    expect(composer(mia)).to_have_attribute("readonly", "")
    expect(composer(mia)).to_have_value("Half a thought")
    expect(mia.get_by_role("button", name="Send")).to_be_disabled()
    person(alice, "Mia").get_by_role("combobox").select_option(label="may write")
    expect(composer(mia)).not_to_have_attribute("readonly", "")
    send(mia, "A whole thought")
    expect(mia.locator(".message-person").last).to_contain_text("A whole thought")
    share(alice).get_by_role("button", name="Close").click()
    stop(alice)


def test_whoever_signs_out_in_another_tab_is_shown_the_way_in(site: Site, browser: Browser) -> None:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/login/")
    page.get_by_label("Username").fill("mia")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    address = start(page, "echo hello")
    expect_answered(page)
    other = context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.locator(".sidebar-list").get_by_role("link")).to_have_count(0)
    page.get_by_role("link", name="Sign in").click()
    expect(page).to_have_url(re.compile(r"/login/\?next=.*" + address.split("/")[-2]))
    context.close()


def test_what_is_closed_carries_a_lock_and_can_begin_so(visit: Visit) -> None:
    page = visit()
    page.goto("/workspaces/demo/conversations/new/")
    page.get_by_label("Who can see it").select_option(label="Private")
    page.get_by_label("First message").fill("echo mine alone")
    page.get_by_label("First message").press("Enter")
    page.wait_for_url(re.compile(r"/conversations/[0-9a-f-]{36}/"))
    here = page.locator('.conversation-link[aria-current="page"]')
    expect(here.get_by_text("Private")).to_be_attached()
    expect(share(page).get_by_role("listitem")).to_have_text(re.compile("Alice.*started it.*named by Alice"))
    share(page).get_by_label("Open").check()
    share(page).get_by_role("button", name="Change").click()
    expect(share(page).get_by_role("listitem").filter(has_text="Vera")).to_contain_text(
        "viewer of the workspace"
    )
    expect(here.get_by_text("Private")).to_have_count(0)
