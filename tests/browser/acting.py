"""What people do with a conversation, in the words of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from chat.providers.demo import expected_text
from chat.providers.demo.tokens import numbered as demo_words
from chat.providers.demo.tokens import split_into_tokens

# A reply that lasts until somebody stops it, however slow the machine is.
ENDLESS_TOKENS = 50_000
ENDLESS = f"tokens {ENDLESS_TOKENS} at 40/s"
MOST_SEARCHES = 60


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


def expect_growing(page: Page) -> None:
    """Waits until more is written of the reply than is there now."""
    shown = words_of(replies(page).last).inner_text()
    expect(words_of(replies(page).last)).to_contain_text(f"{shown} word")


def stop(page: Page) -> None:
    page.get_by_role("button", name="Stop the answer").click()


def search(page: Page, words: str, hit: Locator) -> None:
    """Searches until it is found: what was just said is indexed a moment later, a long history much later."""
    field = page.get_by_label("Search titles and messages")
    for _ in range(MOST_SEARCHES):
        field.fill("")
        with page.expect_response(re.compile(r"[?&]q=\w")):
            field.fill(words)
        try:
            hit.wait_for(timeout=1_000)
        except TooLate:
            continue
        return
    raise AssertionError(f"{words} is not found")


def tokens_up_to(words: str, *, of: str) -> int:
    """How many tokens the demo agent has said when it comes to these words of a text."""
    before, found, _ = expected_text(of).partition(words)
    assert found
    return len([*split_into_tokens(before + words)])


def numbered(count: int) -> str:
    """What the demo agent says when it is asked for so many tokens."""
    return demo_words("word", 1, count)
