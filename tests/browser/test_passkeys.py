"""A passkey in a real browser, kept by an authenticator that exists in it alone."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WAIT_MILLISECONDS, Watch
from tests.browser.site import Site

PASSWORD = "a kelp forest at dusk"


def test_a_passkey_is_added_signs_in_alone_and_proves_who_one_is(site: Site, browser: Browser) -> None:
    context = browser.new_context(base_url=site.url)
    context.set_default_timeout(WAIT_MILLISECONDS)
    page = context.new_page()
    watch = Watch(page, site)
    add_authenticator_to(page)
    choose_password(page, site.run("manage.py", "create_owner", "pia", "--workspace", "Passkeys"))
    page.goto("/account/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Name").fill("My key")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_text("My key").first).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".sidebar")).to_be_attached()
    page.locator(".sidebar-account").click()
    expect(page.get_by_role("heading", name="Account", exact=True)).to_be_visible()
    page.get_by_role("button", name="Log out").click()

    page.get_by_label("Username").fill("pia")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator(".sidebar")).to_be_attached()

    page.goto("/account/")
    page.get_by_role("link", name="Remove My key").click()
    page.get_by_role("link", name="Use a security key").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("The passkey is removed.")).to_be_visible()
    context.close()
    assert watch.problems == []


def add_authenticator_to(page: Page) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def choose_password(page: Page, told: str) -> None:
    """By the link that works once."""
    found = re.search(r"http://[^/]+(/password/\S+)", told)
    assert found
    page.goto(found[1])
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password again").fill(PASSWORD)
    page.get_by_role("button", name="Save the password").click()
    expect(page.locator(".sidebar")).to_be_attached()
