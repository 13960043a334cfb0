"""What goes wrong around a page that is open: it heals by itself and loses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.acting import (
    ENDLESS,
    composer,
    expect_answered,
    expect_growing,
    expect_words,
    numbered,
    replies,
    send,
    start,
    stop,
    words_of,
)
from tests.browser.conftest import Visit
from tests.browser.site import Site

NO_SOCKETS = """
window.WebSocket = class {
  constructor() { setTimeout(() => this.onclose?.({code: 1006})); }
  close() {}
};
"""

CONNECTION = "[data-behavior=connection-banner]"


@pytest.fixture
def served(site: Site) -> Iterator[Site]:
    """The site, which a test may kill: afterwards it is served again."""
    yield site
    site.kill()
    site.start()


def test_a_killed_server_comes_back_and_the_open_page_completes_by_itself(visit: Visit, served: Site) -> None:
    page = visit()
    start(page, "tokens 300 at 100/s; hang after 40")
    composer(page).fill("half a thought")
    expect(words_of(replies(page).last)).to_have_text(numbered(40))
    served.kill()
    expect(page.locator(CONNECTION)).to_contain_text("Nothing is lost")
    expect(words_of(replies(page).last)).to_have_text(numbered(40))
    served.start()
    reply = expect_answered(page)
    expect(words_of(reply)).to_have_text(numbered(300))
    expect(reply).to_contain_text("went on after a restart")
    expect(page.locator(CONNECTION)).to_be_hidden()
    expect(composer(page)).to_have_value("half a thought")
    expect(composer(page)).to_be_focused()


def test_a_reply_that_was_finished_just_before_the_kill_is_shown_finished(visit: Visit, served: Site) -> None:
    page = visit()
    page.route(re.compile(r"/sessions/.*/messages/[0-9a-f-]{36}/$"), lambda route: route.abort())
    start(page, "echo the last words")
    expect_words(page, "the last words")
    served.kill()
    page.unroute_all()
    served.start()
    expect(words_of(expect_answered(page))).to_have_text("the last words")


def test_a_restart_is_told_and_healed_without_a_reload(visit: Visit, served: Site) -> None:
    page = visit()
    start(page, "tokens 250 at 100/s; hang after 20")
    page.evaluate("window.stillHere = true")
    expect_words(page, "word20")
    served.stop()
    served.start()
    expect(words_of(expect_answered(page))).to_have_text(numbered(250))
    assert page.evaluate("window.stillHere") is True


def test_sent_while_offline_and_online_again_is_one_message(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    send(page, "echo from the tunnel")
    echo = page.locator(".message-person", has_text="from the tunnel")
    expect(echo).to_have_count(1)
    page.context.set_offline(False)
    expect(words_of(expect_answered(page, 2))).to_have_text("from the tunnel")
    expect(echo).to_have_count(1)
    expect(echo.locator(".tick")).to_be_visible()


def test_sent_while_the_server_is_down_survives_even_a_reload(visit: Visit, served: Site) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    served.kill()
    send(page, "echo into the dark")
    expect(page.locator(".message.is-sending")).to_contain_text("sending")
    served.start()
    page.reload()
    expect(words_of(expect_answered(page, 2))).to_have_text("into the dark")
    expect(page.locator(".message-person", has_text="into the dark")).to_have_count(1)


def test_where_no_socket_gets_through_the_log_is_polled(visit: Visit) -> None:
    page = visit()
    page.add_init_script(NO_SOCKETS)
    start(page, "tokens 60 at 30/s")
    reply = expect_answered(page)
    expect(words_of(reply)).to_have_text(numbered(60))
    send(page, "echo by HTTP")
    expect(words_of(expect_answered(page, 2))).to_have_text("by HTTP")
    expect(page.locator(".message-person .tick")).to_have_count(2)


def test_a_stale_tab_of_an_older_version_asks_for_a_reload(visit: Visit) -> None:
    page = visit()
    page.route_web_socket(re.compile("/ws/"), lambda ws: ws.send('{"type":"hello","protocol":99}'))
    start(page, "echo hello")
    expect(page.locator(CONNECTION)).to_contain_text("Holdfast was updated")
    expect(page.get_by_role("button", name="Reload")).to_be_visible()


def test_a_reader_keeps_their_place_while_others_write(visit: Visit) -> None:
    page = visit(viewport={"width": 900, "height": 500})
    start(page, "fast long")
    expect_answered(page)
    send(page, ENDLESS)
    expect_words(page, "word20 ")
    place(page, 300)
    before = page.locator(".scroller").evaluate("element => element.scrollTop")
    expect(page.get_by_role("button", name="Newest")).to_be_visible()
    expect_growing(page)
    assert page.locator(".scroller").evaluate("element => element.scrollTop") == before
    page.get_by_role("button", name="Newest").click()
    expect(page.get_by_role("button", name="Newest")).to_be_hidden()
    stop(page)
    expect_answered(page, 2)


def place(page: Page, top: int) -> None:
    page.locator(".scroller").evaluate("(element, top) => (element.scrollTop = top)", top)
