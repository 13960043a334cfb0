"""Runs the commands that bring a program onto this machine."""

import os
import shutil
import subprocess
from collections.abc import Sequence


class CannotProvide(Exception):
    """A program the tests need is not here and cannot be installed; the message says what to do."""


def apt_can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(*packages: str) -> None:
    print(f"Installing {', '.join(packages)} …", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "--quiet"], environment)
    run(["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *packages], environment)


def run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    """Runs it silently; its output is shown only when it fails."""
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        output = f"{finished.stdout}\n{finished.stderr}".strip()
        raise CannotProvide(f"`{' '.join(command)}` failed:\n{output}")
