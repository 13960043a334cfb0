"""Finds curl for the tests of the API's guide: the system's, else the distribution's package."""

import shutil
from pathlib import Path

from tests.provision.commands import CannotProvide, apt_can_install, apt_install


def curl() -> Path:
    """The program; installs it as the last resort."""
    if shutil.which("curl") is None and apt_can_install():
        apt_install("curl")
    found = shutil.which("curl")
    if found is None:
        raise CannotProvide("These tests need curl; install it with your system's package manager.")
    return Path(found)
