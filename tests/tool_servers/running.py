"""Starts the real tool server in a process of its own, which a test may kill."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.crash.sites import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0


@dataclass
class RunningToolServer:
    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def running_tool_server() -> Iterator[RunningToolServer]:
    port = free_port()
    command = [sys.executable, "-m", "tests.tool_servers.serve", str(port)]
    running = RunningToolServer(subprocess.Popen(command, cwd=ROOT), port)
    try:
        _wait_for(running)
        yield running
    finally:
        running.kill()


def _wait_for(running: RunningToolServer) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", running.port), 1):
            return
        assert running.process.poll() is None, "the tool server did not start"
        assert time.monotonic() < until, "the tool server did not come up"
        time.sleep(0.05)
