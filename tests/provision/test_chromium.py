"""The browser of the browser tests is provided, and opens a page."""

from playwright.sync_api import sync_playwright

from tests.provision.chromium import ARGUMENTS, chromium


def test_the_browser_opens_a_page() -> None:
    program = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        page = browser.new_page()
        page.set_content("<title>Holdfast</title>")
        assert page.title() == "Holdfast"
        browser.close()
