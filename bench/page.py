"""What the page costs: the bytes of a first load, opening a long conversation, and a long reply that streams."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.tables import print_table
from bench.targets import Target
from tests.browser.acting import expect_answered, start
from tests.browser.site import Site
from tests.provision.chromium import ARGUMENTS, chromium

PATIENCE_MILLISECONDS = 120_000
# Characters of an answer that has about 10,000 tokens, said at 500 a second.
REPLY_CHARACTERS = 52_000
PARAGRAPH = (
    "The *kelp* holds on to the `rock`, and **nothing** that the sea says moves it.\n\n- one\n- two\n\n"
)
CODE = "```python\ndef hold(fast: bool) -> bool:\n    return fast\n```\n\n"
SCROLL_BACK = """async () => {
  const begun = performance.now();
  const first = document.querySelector(".transcript > .message").id;
  document.querySelector(".scroller").scrollTo(0, 0);
  while (document.querySelector(".transcript > .message").id === first) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return performance.now() - begun;
}"""
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
}).observe({ type: "longtask", buffered: true });
"""


def measure(*, quick: bool) -> list[Target]:
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    program = chromium()
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(program), args=list(ARGUMENTS))
        page = logged_in(site, browser)
        length = 1_000 if quick else 100_000
        long_one = "/conversations/" + site.run("-m", "tests.browser.long_history", str(length)).strip() + "/"
        targets = [
            *first_load(site, browser, page, long_one),
            opening(page, long_one, length),
            scrolling(page, long_one, length),
            streaming(page, REPLY_CHARACTERS // (50 if quick else 1)),
        ]
        browser.close()
    rows = [(target.name, *target.cells) for target in targets]
    print_table("What the page costs", ("", "measured", "target", ""), rows)
    return targets


@contextmanager
def served() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-page-") as folder:
        site = Site(Path(folder))
        site.prepare()
        site.start()
        try:
            yield site
        finally:
            site.kill()


def logged_in(site: Site, browser: Browser) -> Page:
    context = browser.new_context(base_url=site.url)
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    page = context.new_page()
    page.goto("/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".sidebar")).to_be_attached()
    return page


def first_load(site: Site, browser: Browser, page: Page, address: str) -> list[Target]:
    """With an empty cache: everything that comes before the page is quiet, as it comes over the wire."""
    context = browser.new_context(base_url=site.url, storage_state=page.context.storage_state())
    fresh = context.new_page()
    received: list[float] = []
    session = context.new_cdp_session(fresh)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    fresh.goto(address)
    fresh.wait_for_load_state("networkidle")
    context.close()
    return [
        Target("first load, 50 messages, compressed", sum(received) / 1024, 100, " KB"),
        Target("requests of a first load", len(received), 100, ""),
    ]


def opening(page: Page, address: str, length: int) -> Target:
    """From the click to the newest message on the screen, everything else in the browser's cache."""
    seconds = []
    for _ in range(7):
        page.goto("/")
        page.goto(address)
        expect(page.locator(".transcript > .message").last).to_be_in_viewport()
        paint = page.wait_for_function("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        seconds.append(paint.json_value() / 1000)
    return Target(f"first paint of {length:,} messages, median", median(seconds), 1, " s")


def scrolling(page: Page, address: str, length: int) -> Target:
    """From the reader's touch at the edge of what the page holds to an older page in its place."""
    page.goto(address)
    expect(page.locator(".transcript > .message").last).to_be_in_viewport()
    seconds = [page.evaluate(SCROLL_BACK) / 1000 for _ in range(7)]
    return Target(f"an older page of {length:,} messages, median", median(seconds), 0.5, " s")


def streaming(page: Page, characters: int) -> Target:
    page.add_init_script(WATCH)
    text = ((PARAGRAPH * 3 + CODE) * (characters // 300))[:characters]
    start(page, f"at 500/s echo {text}")
    expect_answered(page)
    longest = max([*page.evaluate("() => window.longTasks"), 0])
    return Target(f"longest task while {characters:,} characters stream", longest, 100, " ms")
