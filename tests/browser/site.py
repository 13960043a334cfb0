"""A site in a folder of its own, that can be killed and started again at the same address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 120


class Site:
    def __init__(self, folder: Path) -> None:
        ours = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HOLDFAST_", "DJANGO_", "OPENAI_", "ANTHROPIC_"))
            and name != "DATABASE_URL"
        }
        self.folder = folder
        self.environment = {
            **ours,
            "HOLDFAST_DATA_DIR": str(folder / "data"),
            "HOLDFAST_STATIC_DIR": str(folder / "static"),
            "HOLDFAST_LOG_LEVEL": "warning",
        }
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    @property
    def password(self) -> str:
        return (self.folder / "data" / "demo_password").read_text().strip()

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    def prepare(self) -> None:
        for words in (["migrate"], ["collectstatic", "--no-input"], ["create_demo"]):
            self.run("manage.py", *words, "--verbosity", "0")

    def run(self, *words: str) -> str:
        """Runs a program of the project on this site, beside its server."""
        done = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        """Returns when it answers."""
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Holdfast is at"), line

    def kill(self) -> None:
        """SIGKILL: nothing is said and nothing is finished."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        process.wait(WAIT_SECONDS)
        assert process.stdout is not None
        process.stdout.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
