"""The hostile corpus in every text there is: on no page does a script run, a request leave the site or anything
move from its place. What a sanitiser might let through, the content security policy stops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WAIT_MILLISECONDS, Watch
from tests.browser.hostile_corpus import EVIL, LOADERS, PAYLOADS
from tests.browser.hostile_scene import LAST_WORDS, SLUG
from tests.browser.site import Site

WIDTHS = (1280, 360)
# What must not be anywhere in a page. A link to elsewhere may be shown: nobody follows it but by hand.
DANGERS = """() => [...document.querySelectorAll("*")].filter((element) =>
  element.matches("iframe, object, embed, applet, portal, frame, video, audio, track, base, meta[http-equiv]")
  || element.matches("style") && !element.closest("svg")
  || element.matches("script") && !element.src.startsWith(location.origin)
  || [...element.attributes].some(({ name, value }) => /^on|^(ping|srcset|poster|background)$/.test(name)
    || name === "style" && /url|fixed/.test(value)
    || /^(href|src|action|formaction|data|xlink:href)$/.test(name)
      && /^\\s*(javascript|vbscript|data|blob|file):/i.test(value)
    || /^(src|action|formaction|data)$/.test(name) && value.includes("evil.example"))
).map((element) => element.outerHTML.slice(0, 200))"""
# Whatever is in the middle and in the corners of the page is part of it, and nothing wider than the window.
SHAPE = """() => {
  const places = [[0.5, 0.5], [0.02, 0.02], [0.98, 0.02], [0.02, 0.98]];
  const found = places.map(([x, y]) => document.elementFromPoint(innerWidth * x, innerHeight * y));
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    covered: found.filter((element) => element?.closest("a[style]")).length,
    main: document.querySelectorAll("main").length,
  };
}"""

Scene = dict[str, str]


@pytest.fixture(scope="module")
def scene(site: Site) -> Scene:
    found: Scene = json.loads(site.run("-m", "tests.browser.hostile_scene"))
    return found


@pytest.fixture(scope="module")
def hazel(site: Site, browser: Browser, scene: Scene) -> Iterator[Page]:
    """One page for all of them: what one test leaves behind, the next would see."""
    context = browser.new_context(base_url=site.url)
    context.set_default_timeout(WAIT_MILLISECONDS)
    context.add_cookies([{"name": "sessionid", "value": scene["login"], "url": site.url}])
    page = context.new_page()
    watch = Watch(page, site)
    yield page
    context.close()
    assert watch.problems == []


def is_only_read(page: Page) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.evaluate(DANGERS) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        shape: dict[str, Any] = page.evaluate(SHAPE)
        assert shape == {"wide": min(0, shape["wide"]), "covered": 0, "main": 1}, (page.url, width)
    page.set_viewport_size({"width": WIDTHS[0], "height": 800})


PAGES = (
    "/conversations/{conversation}/",
    "/sessions/{archived}/",
    "/conversations/{conversation}/history/",
    f"/workspaces/{SLUG}/",
    f"/workspaces/{SLUG}/?shown=500",
    f"/workspaces/{SLUG}/conversations/new/",
    f"/workspaces/{SLUG}/settings/",
    f"/workspaces/{SLUG}/members/",
    f"/workspaces/{SLUG}/invitations/",
    f"/workspaces/{SLUG}/tokens/",
    f"/workspaces/{SLUG}/deleted/",
    f"/workspaces/{SLUG}/search/?q=hacked",
    f"/workspaces/{SLUG}/search/?q=evil.example",
    "/workspaces/",
)
ADMIN = (
    "/admin/recovery/",
    "/admin/recovery/sessions/{archived}/transcript/",
    "/admin/recovery/conversations/{conversation}/reset/",
    *(
        f"/admin/sessions_app/{name}/"
        for name in ("conversation", "session", "checkpoint", "auditentry", "agent", "user")
    ),
)


@pytest.mark.parametrize("path", [*PAGES, *ADMIN])
def test_on_no_page_it_is_more_than_text(hazel: Page, scene: Scene, path: str) -> None:
    answer = hazel.goto(path.format(**scene))
    assert answer is not None
    assert answer.status == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    if "history" not in path:  # a part of a page has no place of its own
        is_only_read(hazel)
    else:
        assert hazel.evaluate(DANGERS) == []


def test_what_it_is_put_into_is_shown_as_it_was_written(hazel: Page, scene: Scene) -> None:
    """Otherwise the walk would look at pages that leave it out."""
    hazel.goto(f"/conversations/{scene['conversation']}/")
    tools = hazel.locator(".tool")
    expect(tools).to_have_count(len(PAYLOADS))
    expect(tools.first).to_contain_text(PAYLOADS[0])
    expect(hazel.locator(".message-agent").last).to_contain_text(LAST_WORDS)
    hazel.goto(f"/workspaces/{SLUG}/members/")
    for payload in (PAYLOADS[0], PAYLOADS[-1]):
        expect(hazel.get_by_text(payload, exact=True).first).to_be_attached()


def test_everything_folded_out_is_only_text_too(hazel: Page, scene: Scene) -> None:
    """Reasoning, tool cards, the history with all its pages, and the search as one types."""
    hazel.goto(f"/conversations/{scene['conversation']}/")
    hazel.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    is_only_read(hazel)
    hazel.evaluate("for (const details of document.querySelectorAll('details')) details.open = false")
    hazel.locator("summary", has_text="More").click()
    hazel.get_by_role("button", name="History").click()
    drawer = hazel.get_by_role("dialog", name="History")
    expect(drawer.locator(".moment").first).to_be_visible()
    while drawer.get_by_role("button", name="Earlier").count():
        before = drawer.locator(".moment").count()
        drawer.get_by_role("button", name="Earlier").click()
        expect(drawer.locator(".moment").nth(before)).to_be_attached()
    is_only_read(hazel)
    hazel.keyboard.press("Escape")
    hazel.keyboard.press("Control+k")
    with hazel.expect_response(lambda answer: "q=hacked" in answer.url):
        hazel.get_by_label("Search titles and messages").fill("hacked")
    expect(hazel.locator("#search mark").first).to_be_visible()
    is_only_read(hazel)


@pytest.mark.parametrize("place", ["/{}", "/admin/{}", "/login/?next=/{}", "/workspaces/{}/", "/i/{}"])
def test_what_is_in_an_address_is_only_text(hazel: Page, place: str) -> None:
    for payload in PAYLOADS[::12]:
        hazel.goto(place.format(quote(payload, safe="")))
        assert hazel.evaluate("window.hacked") is None
        assert hazel.evaluate(DANGERS) == []


@pytest.mark.parametrize(
    "place", [f"/workspaces/{SLUG}/search/?q={{}}", "/admin/sessions_app/auditentry/?q={}"]
)
def test_what_is_searched_for_is_only_text(hazel: Page, place: str) -> None:
    for payload in PAYLOADS[::12]:
        hazel.goto(place.format(quote(payload, safe="")))
        is_only_read(hazel)


def test_the_policy_alone_stops_what_a_sanitiser_would_let_through(
    site: Site, browser: Browser, scene: Scene
) -> None:
    """The corpus as real elements in a page: nothing of it runs, and nothing of it is fetched."""
    context = browser.new_context(base_url=site.url)
    context.add_cookies([{"name": "sessionid", "value": scene["login"], "url": site.url}])
    page, fetched = context.new_page(), list[str]()
    page.on("requestfinished", lambda request: fetched.append(request.url))
    page.goto("/workspaces/")
    raw = [text for text in PAYLOADS if "http-equiv" not in text]
    page.evaluate(
        """(texts) => { for (const text of texts) {
          const element = document.createElement("div");
          element.innerHTML = text;
          document.body.append(element);
          for (const old of element.querySelectorAll("script")) {
            const script = document.createElement("script");
            for (const { name, value } of old.attributes) script.setAttribute(name, value);
            script.textContent = old.textContent;
            old.replaceWith(script);
          }
        } }""",
        raw,
    )
    for link in page.locator("a[href^=javascript i]").all():
        link.dispatch_event("click")
    page.wait_for_load_state("networkidle")
    assert page.locator(f'img[src^="{EVIL}"]').count() > 0
    assert page.evaluate("window.hacked") is None
    assert [url for url in fetched if not url.startswith((site.url, "data:"))] == []
    assert len(LOADERS) > 30
    context.close()
