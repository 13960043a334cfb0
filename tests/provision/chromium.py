"""Finds a Chromium for the browser tests: the system's, else the distribution's, else Playwright's own."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.provision.commands import CannotProvide, apt_can_install, apt_install, run

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

# The sandbox needs rights that containers and root do not have; the rest keeps the browser off the network.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> Path:
    """The browser's program; installs it as the last resort."""
    found = system_chromium() or playwright_chromium()
    if found is None:
        found = install()
    if found is None:
        raise CannotProvide("The browser tests need Chromium; install it with your system's package manager.")
    return found


def system_chromium() -> Path | None:
    paths = (shutil.which(name) for name in NAMES)
    return next((Path(path) for path in paths if path), None)


def playwright_chromium() -> Path | None:
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def install() -> Path | None:
    if apt_can_install():
        apt_install("chromium")
        return system_chromium()
    run([sys.executable, "-m", "playwright", "install", "chromium"])
    return playwright_chromium()
