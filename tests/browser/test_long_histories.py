"""A long conversation: opens at its end, scrolls both ways, and never fills the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.acting import composer, expect_answered, search, send, words_of
from tests.browser.conftest import Visit
from tests.browser.site import Site

MESSAGES = 3_000
MOST_HELD = 200
READ_UP_TO = """async ([address, seq]) => {
  const html = await (await fetch(address)).text();
  const session = /data-session="([^"]+)"/.exec(html)[1];
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  return fetch(`/sessions/${session}/read/`, { method: "POST", headers, body: JSON.stringify({ seq }) });
}"""


@pytest.fixture(scope="module")
def address(site: Site) -> str:
    public_id = site.run("-m", "tests.browser.long_history", str(MESSAGES)).strip()
    return f"/conversations/{public_id}/"


def messages(page: Page) -> Locator:
    return page.locator(".transcript > .message")


def first_number(page: Page) -> int:
    return int(messages(page).first.get_attribute("data-seq") or 0)


def scroll(page: Page, how: str) -> None:
    page.locator(".scroller").evaluate(f"element => element.scrollTo(0, {how})")


def test_it_scrolls_to_where_one_wants_and_back_with_a_bounded_page(visit: Visit, address: str) -> None:
    page = visit(address)
    expect(messages(page).last).to_be_in_viewport()
    seen = first_number(page)
    for _ in range(8):
        scroll(page, "0")
        page.wait_for_function("seen => document.querySelector('.message').dataset.seq < seen", arg=seen)
        seen = first_number(page)
    expect(messages(page)).to_have_count(MOST_HELD)
    expect(page.get_by_role("button", name="Newest")).to_be_visible()
    last = messages(page).last.get_attribute("data-seq")
    scroll(page, "element.scrollHeight")
    page.wait_for_function(
        "last => [...document.querySelectorAll('.message')].at(-1).dataset.seq !== last", arg=last
    )
    expect(messages(page)).to_have_count(MOST_HELD)
    page.get_by_role("button", name="Newest").click()
    send(page, "echo still here")
    expect(words_of(page.locator(".message-agent").last)).to_have_text("still here")


def test_older_pages_do_not_move_what_one_reads(visit: Visit, address: str) -> None:
    page = visit(address)
    expect(messages(page).last).to_be_in_viewport()
    first = messages(page).first
    name = first.get_attribute("id")
    scroll(page, "0")
    page.wait_for_function("name => document.querySelector('.message').id !== name", arg=name)
    expect(page.locator(f"#{name}")).to_be_in_viewport()


def test_a_reader_who_comes_back_jumps_to_where_they_left_off(visit: Visit, address: str) -> None:
    page = visit(name="vera")
    page.evaluate(READ_UP_TO, [address, 41])
    page.goto(address)
    page.get_by_role("button", name="Jump to where you left off").click()
    left_off = ", ".join(f"[data-seq='{seq}']" for seq in range(37, 42))
    expect(page.locator(left_off).last).to_be_in_viewport()


def test_a_search_leads_to_the_passage(visit: Visit, address: str) -> None:
    page = visit(address)
    send(page, "echo the albatross has landed")
    expect(words_of(page.locator(".message-agent").last)).to_have_text("the albatross has landed")
    page.goto("/")
    page.keyboard.press("Control+k")
    hit = page.locator("[data-hit-message]", has_text="· Alice ·")
    search(page, "albatross", hit)
    expect(hit.locator("mark")).to_have_text("albatross")
    hit.click()
    found = page.locator(".message-person", has_text="the albatross has landed")
    expect(found).to_be_in_viewport()
    expect(composer(page)).to_be_visible()


def test_a_search_inside_the_open_conversation_jumps_without_a_reload(visit: Visit, address: str) -> None:
    page = visit(address)
    page.evaluate("window.stillHere = true")
    page.keyboard.press("Control+k")
    page.get_by_label("only in this conversation").check()
    hit = page.locator(".search-hit").last
    search(page, "tide rope", hit)
    hit.click()
    expect(page.locator(".dialog-search")).to_be_hidden()
    assert page.evaluate("window.stillHere") is True
    expect_answered(page, page.locator(".message-agent").count())
