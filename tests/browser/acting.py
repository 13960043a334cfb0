"""What people do with a conversation, in the words of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from chat.providers.demo.tokens import numbered as demo_words


def start(page: Page, text: str) -> str:
    """Begins a conversation with a first message; gives its address."""
    page.goto("/workspaces/demo/conversations/new/")
    page.get_by_label("First message").fill(text)
    page.get_by_label("First message").press("Enter")
    page.wait_for_url(re.compile(r"/conversations/[0-9a-f-]{36}/"))
    return page.url


def send(page: Page, text: str) -> None:
    composer(page).fill(text)
    composer(page).press("Enter")


def composer(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def replies(page: Page) -> Locator:
    return page.locator(".message-agent[data-message]:visible")


def words_of(reply: Locator) -> Locator:
    return reply.locator(".prose").last


def expect_answered(page: Page, count: int = 1) -> Locator:
    """Waits for so many finished replies; gives the last."""
    expect(page.locator(".message-agent[data-message]:not(.is-open):visible")).to_have_count(count)
    return replies(page).last


def expect_words(page: Page, text: str) -> None:
    """Waits until the reply that is being written has come to these words."""
    expect(words_of(replies(page).last)).to_contain_text(text)


def numbered(count: int) -> str:
    """What the demo agent says when it is asked for so many tokens."""
    return demo_words("word", 1, count)
