"""The API's own page, from files of the site alone: read and tried out by somebody who is logged in."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visit


def test_the_page_is_found_from_the_tokens_and_tries_an_operation(visit: Visit) -> None:
    page = visit("/workspaces/demo/tokens/")
    page.get_by_role("link", name="What scripts can do").click()
    operation = page.locator("#operations-me-who_am_i")
    operation.get_by_role("button").first.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table")).to_contain_text('"username": "alice"')
