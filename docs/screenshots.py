"""Makes the pictures of the README: python -m docs.screenshots, on a site of its own, in a real browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.acting import composer, expect_answered, send, start
from tests.browser.site import Site
from tests.provision.chromium import ARGUMENTS, chromium

FOLDER = Path(__file__).resolve().parent / "images"
WIDE = {"width": 1280, "height": 800}
SMALL = {"width": 390, "height": 800}
PATIENCE_MILLISECONDS = 60_000


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with tempfile.TemporaryDirectory(prefix="holdfast-pictures-") as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.prepare()
        site.start()
        try:
            browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(ARGUMENTS))
            address = conversation(site, browser)
            after_a_kill(site, browser, address)
            browser.close()
        finally:
            site.kill()


def conversation(site: Site, browser: Browser) -> str:
    """Two people and an agent, in daylight."""
    alice, mia = visitor(site, browser, "alice"), visitor(site, browser, "mia")
    address = start(alice, "markdown")
    alice.get_by_role("button", name="Stop the answer").wait_for()
    expect_answered(alice)
    rename(alice, "How kelp holds on")
    mia.goto(address)
    send(mia, "What happens to our work if the server dies while you are writing?")
    expect_answered(alice, 2)
    expect(alice.locator(".presence .avatar")).to_have_count(2)
    alice.locator(".toast").wait_for(state="detached")
    alice.screenshot(path=FOLDER / "conversation.png")
    return address


def after_a_kill(site: Site, browser: Browser, address: str) -> None:
    """The same conversation at night, on a telephone, with a server that was killed in the middle of a reply."""
    page = visitor(site, browser, "alice", viewport=SMALL, color_scheme="dark", has_touch=True)
    page.goto(address)
    send(page, "How does Holdfast keep what we write?")
    page.wait_for_function("() => document.querySelector('.is-open .message-parts')?.innerText.length > 300")
    site.kill()
    expect(page.locator(".banner").first).to_be_visible()
    site.start()
    expect_answered(page, 3)
    expect(composer(page)).to_be_visible()
    page.screenshot(path=FOLDER / "after-a-kill.png")


def rename(page: Page, title: str) -> None:
    page.locator(".conversation-head").get_by_title("More").click()
    page.get_by_role("button", name="Title, agent, prompt").first.click()
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def visitor(site: Site, browser: Browser, name: str, **options: object) -> Page:
    context = browser.new_context(base_url=site.url, **{"viewport": WIDE, **options})  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    page.goto("/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".sidebar")).to_be_attached()
    return page


if __name__ == "__main__":
    main()
