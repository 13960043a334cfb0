"""The models of the page, alone, in the browser that runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.site import Site

FOLDER = Path(__file__).parent / "units"
NAME = re.compile(r'^  (?:async )?"(.+)"\(\) \{$', re.MULTILINE)
UNITS = [
    (file.stem, name)
    for file in sorted(FOLDER.glob("*.js"))
    for name in NAME.findall(file.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def page_for_units(site: Site, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.route("**/units/*.js", from_folder)
    page.goto("/login/")
    yield page
    context.close()


def from_folder(route: Route) -> None:
    route.fulfill(path=FOLDER / route.request.url.rpartition("/")[2], content_type="text/javascript")


@pytest.mark.parametrize(("unit", "name"), UNITS, ids=[f"{unit}: {name}" for unit, name in UNITS])
def test_unit(page_for_units: Page, unit: str, name: str) -> None:
    run = "async ([unit, name]) => { await (await import(`/units/${unit}.js`)).tests[name](); }"
    page_for_units.evaluate(run, [unit, name])


def test_every_unit_test_is_found() -> None:
    counted = sum(
        len(re.findall(r"\(\) \{$", file.read_text(), re.MULTILINE)) for file in FOLDER.glob("*.js")
    )
    assert len(UNITS) > 30
    assert counted >= len(UNITS)
