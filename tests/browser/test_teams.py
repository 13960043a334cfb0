"""People come into a workspace and are shown out of it, each in a browser of their own."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.acting import ENDLESS, expect_answered, expect_growing, start, stop
from tests.browser.conftest import Visit
from tests.browser.site import Site
from tests.browser.test_looks import SMALL, overflow, violations
from tests.figures import PrintFigure

PASSWORD = "a kelp forest at dusk"
NEWCOMER = "from sessions_app.models import User; User.objects.create_user({name!r}, password={password!r})"


@pytest.fixture
def newcomer(site: Site) -> str:
    """Somebody with an account, and in no workspace."""
    name = f"bob{secrets.token_hex(3)}"
    site.run("manage.py", "shell", "--verbosity", "0", "-c", NEWCOMER.format(name=name, password=PASSWORD))
    return name


Arrive = Callable[..., Page]


@pytest.fixture
def arrive(site: Site, browser: Browser) -> Iterator[Arrive]:
    """Opens an address in a browser that knows nobody yet."""
    contexts: list[BrowserContext] = []

    def open_page(path: str, **options: object) -> Page:
        contexts.append(browser.new_context(base_url=site.url, **options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def invite(page: Page, **choices: str) -> str:
    """The link that the page shows, once."""
    page.goto("/workspaces/demo/invitations/")
    for label, choice in choices.items():
        page.get_by_label(label, exact=True).select_option(choice)
    page.get_by_role("button", name="Invite", exact=True).click()
    return page.get_by_label("The link").inner_text()


def log_in_and_join(page: Page, name: str) -> None:
    page.get_by_role("link", name="Log in to join").click()
    page.get_by_label(re.compile("^Username")).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("button", name=f"Join as {name}").click()
    expect(page.locator(".sidebar-workspace")).to_contain_text("Demo team")


def test_somebody_joins_by_a_link_and_chats(visit: Visit, arrive: Arrive, newcomer: str) -> None:
    alice = visit()
    link = invite(alice, For="one")
    alice.get_by_role("button", name="Copy the link").click()
    expect(alice.locator(".toast")).to_have_text("Link copied")
    bob = arrive(link)
    expect(bob.get_by_role("heading", name="Join Demo team")).to_be_visible()
    log_in_and_join(bob, newcomer)
    start(bob, "echo hello from the new one")
    expect(expect_answered(bob)).to_contain_text("hello from the new one")
    alice.goto("/workspaces/demo/members/")
    expect(alice.locator(f'[data-member="{newcomer}"]')).to_contain_text("joined")
    late = arrive(link)
    expect(late.get_by_role("alert")).to_contain_text("used already")


def test_who_is_removed_while_a_reply_streams_reads_no_more_and_why(
    visit: Visit, arrive: Arrive, newcomer: str, print_figure: PrintFigure
) -> None:
    alice, owner = visit(), visit()
    mia = arrive(invite(owner))
    log_in_and_join(mia, newcomer)
    mia.goto(start(alice, ENDLESS))
    expect_growing(mia)
    owner.goto("/workspaces/demo/members/")
    row = owner.locator(f'[data-member="{newcomer}"]')
    row.get_by_label(f"Remove {newcomer} …").click()
    began = time.monotonic()
    row.get_by_role("button", name=f"Remove {newcomer}").click()
    expect(mia.get_by_role("heading", name="You are no longer a member of this workspace")).to_be_visible()
    print_figure(f"a removed member's open page falls silent: {time.monotonic() - began:.1f} s")
    for _ in range(3):
        expect_growing(alice)
    expect(mia.locator("body")).not_to_contain_text("word 1")
    expect(row).to_have_count(0)
    stop(alice)
    mia.reload()
    expect(mia.locator("body")).not_to_contain_text("word 1")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [SMALL, {"width": 1280, "height": 800}], ids=["small", "wide"])
def test_the_pages_of_a_team_can_be_read_by_all(
    visit: Visit, arrive: Arrive, theme: str, size: dict[str, int]
) -> None:
    page = visit("/workspaces/", color_scheme=theme, viewport=size)
    assert (violations(page), overflow(page)) == ([], 0)
    page.goto("/workspaces/demo/members/")
    page.get_by_label("Remove Mia …").click()
    page.get_by_label("Hand over to Vera …").click()
    assert (violations(page), overflow(page)) == ([], 0)
    link = invite(page)
    page.locator("summary", has_text="Revoke").first.click()
    assert (violations(page), overflow(page)) == ([], 0)
    for address in (link, "/invitations/nothing/"):
        stranger = arrive(address, color_scheme=theme, viewport=size)
        assert (violations(stranger), overflow(stranger)) == ([], 0)
