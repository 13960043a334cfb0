"""Owns a PostgreSQL server that lives as long as the tests that use it."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.provision.postgres_binaries import postgres_binaries

NAME = "holdfast"
PORT = 5432  # of the socket's file name; nothing listens on it
START_SECONDS = 30
STOP_SECONDS = 20
# Nobody pulls this machine's plug, so the server need not wait for the disk. What it has acknowledged must
# outlive a crash of the server itself, though, so a commit still waits for the log.
OPTIONS = ("fsync=off", "full_page_writes=off", "max_connections=200")


@dataclass
class TemporaryPostgres:
    """A server in `folder`, reached by its socket there alone: a port that was free a moment ago may be taken."""

    binaries: Path
    folder: Path
    options: Sequence[str] = OPTIONS
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"postgres://{NAME}@:{PORT}/{self.folder}/{NAME}"

    def initialise(self) -> None:
        """Only those who can enter the folder may use the socket."""
        give_away(self.folder)
        self.run(
            "initdb", f"--pgdata={self.data}", f"--username={NAME}", "--encoding=UTF8", "--locale=C",
            "--auth-local=trust", "--auth-host=reject", "--no-sync",
        )  # fmt: skip

    def start(self) -> None:
        options = (
            f"unix_socket_directories={self.folder}",
            "listen_addresses=",
            f"port={PORT}",
            *self.options,
        )
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data, *(f"--{option}" for option in options)],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests; they need the server until they have ended
                **unprivileged(),
            )
        self.wait_until_ready()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends it in order, SIGQUIT at once, as a crash would."""
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready():
            died = self.process is None or self.process.poll() is not None
            if died or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{self.log.read_text(errors='replace')}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        where = ("-h", str(self.folder), "-p", str(PORT), "-d", "postgres")
        return subprocess.run([str(self.binaries / "pg_isready"), "-q", *where], check=False).returncode == 0

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.binaries / program), *arguments]
        finished = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, **unprivileged()
        )
        if finished.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{finished.stdout}{finished.stderr}")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "log"


@contextlib.contextmanager
def temporary_postgres(options: Sequence[str] = OPTIONS) -> Iterator[TemporaryPostgres]:
    """A running server with an empty database; afterwards neither a process nor a file is left."""
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="holdfast-pg-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        server = TemporaryPostgres(
            binaries=reachable(postgres_binaries(), folder),
            folder=folder,
            options=options,
        )
        stack.callback(server.stop)
        server.initialise()
        server.start()
        server.run("psql", "-q", "-h", str(folder), "-p", str(PORT), "-U", NAME, "-d", "postgres",
                   "-c", f"CREATE DATABASE {NAME}")  # fmt: skip
        yield server


def unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so root runs it as nobody."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def give_away(*paths: Path) -> None:
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        for path in paths:
            os.chown(path, nobody.pw_uid, nobody.pw_gid)


def reachable(binaries: Path, folder: Path) -> Path:
    """Copies the installation when nobody may not enter it, as below root's home."""
    try:
        command = [str(binaries / "postgres"), "--version"]
        subprocess.run(command, check=True, capture_output=True, cwd="/", **unprivileged())
    except (OSError, subprocess.CalledProcessError):
        folder.chmod(0o755)
        shutil.copytree(binaries.parent, folder / "installation")
        return folder / "installation" / binaries.name
    return binaries
