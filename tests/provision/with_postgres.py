"""Runs a command with a temporary PostgreSQL: python -m tests.provision.with_postgres COMMAND …"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

from tests.provision.temporary_postgres import temporary_postgres


def main(arguments: Sequence[str]) -> int:
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not command or shutil.which(command[0]) is None:
        print("Name a command, as in: python -m tests.provision.with_postgres pytest", file=sys.stderr)
        return 2
    # A plain SIGTERM or a closed terminal would end this process without taking the server down.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    with temporary_postgres() as server:
        return run(command, {**os.environ, "DATABASE_URL": server.url})


def run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Waits for the command whatever happens, so that the server outlives it."""
    process = subprocess.Popen(command, env=environment)
    try:
        return wait(process)
    finally:
        if process.poll() is None:
            process.terminate()
            wait(process)


def wait(process: subprocess.Popen[bytes]) -> int:
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the terminal has told the command too; it ends when it is ready


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
