"""Makes the pictures of recovery.md: python -m docs.recovery_screenshots, on a real site in a real browser."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from docs.screenshots import FOLDER, PATIENCE_MILLISECONDS, WIDE, visitor
from tests.browser.site import Site
from tests.provision.chromium import ARGUMENTS, chromium

REASON = "We begin with the next release"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with tempfile.TemporaryDirectory(prefix="holdfast-pictures-") as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        prepare(site)
        site.start()
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(ARGUMENTS))
        try:
            in_the_page(site, browser)
            in_the_admin(site, browser)
        finally:
            browser.close()
            site.kill()


def prepare(site: Site) -> None:
    site.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    site.prepare()
    site.run("-m", "docs.recovery_scene")
    site.run("manage.py", "verify")
    site.run("manage.py", "backup", str(site.folder / "holdfast.backup"))


def in_the_page(site: Site, browser: Browser) -> None:
    """alice starts a new session, and finds the old one again."""
    page = visitor(site, browser, "alice")
    page.get_by_role("link", name="General").click()
    page.wait_for_load_state("networkidle")
    menu(page, "New session …")
    page.get_by_label("Reason, for everybody to read").fill(REASON)
    keep(page, "dialog")
    page.get_by_role("button", name="Start a new session").click()
    expect(page.locator(".notice", has_text=REASON)).to_be_visible()
    keep(page, "undo")
    page.locator(".toast-offer").wait_for(state="detached")
    menu(page, "History")
    expect(page.locator(".timeline")).to_be_visible()
    keep(page, "drawer")
    page.emulate_media(color_scheme="dark")
    keep(page, "drawer-dark")


def in_the_admin(site: Site, browser: Browser) -> None:
    """olga, who operates the site, brings it back for her."""
    page = browser.new_context(base_url=site.url, viewport=WIDE).new_page()  # type: ignore[arg-type]
    page.goto("/admin/login/?next=/admin/recovery/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("button", name="Log in").click()
    keep(page, "dashboard", full_page=True)
    page.emulate_media(color_scheme="dark")
    keep(page, "dashboard-dark", full_page=True)
    page.emulate_media(color_scheme="light")
    page.get_by_label("Somebody's chat is gone?").fill("team:general")
    page.get_by_role("button", name="Find its sessions").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    keep(page, "restored")
    page.goto("/admin/sessions_app/auditentry/")
    keep(page, "audit")


def menu(page: Page, entry: str) -> None:
    page.locator(".conversation-head").get_by_title("More").click()
    page.get_by_role("button", name=entry).click()


def keep(page: Page, name: str, *, full_page: bool = False) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"recovery-{name}.png", full_page=full_page)


if __name__ == "__main__":
    main()
