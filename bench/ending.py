"""Ends a process on a signal as an error would, so that what it has started or made is cleaned up."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence


def end_with_clean_up_on_signals() -> None:
    """A plain SIGTERM or a closed terminal would leave folders and servers behind."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))


def run_to_its_end(command: Sequence[str], *, environment: Mapping[str, str]) -> int:
    """The command's exit code. Whoever is ended meanwhile ends the command first, and lets it clean up."""
    with subprocess.Popen(command, env=environment) as process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            raise
