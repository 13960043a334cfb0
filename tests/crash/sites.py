"""A site to be broken: its own data folder, people, conversations, and server processes that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 180
TAG = re.compile(r"<[^>]*>")
LOOK_SECONDS = 0.03
# What the log of a server says only when something is wrong with the product.
DEFECTS = ("Traceback", "_broke", "a tool failed")


@dataclass(frozen=True)
class Place:
    conversation: str
    session: str


@dataclass
class Server:
    """One process and the port it serves."""

    process: subprocess.Popen[bytes]
    port: int
    log_file: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(WAIT_SECONDS)

    async def ended(self) -> int:
        """Its exit code, when it has ended by itself."""
        return await asyncio.wait_for(asyncio.to_thread(self.process.wait), WAIT_SECONDS)

    async def is_ready(self, client: aiohttp.ClientSession) -> bool:
        try:
            async with client.get(f"{self.address}/readyz") as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    async def ready(self) -> Server:
        """Returns when it answers that it is ready."""
        async with aiohttp.ClientSession() as client, asyncio.timeout(WAIT_SECONDS):
            while not await self.is_ready(client):
                assert self.process.poll() is None, self.log_file.read_text(encoding="utf-8")[-2000:]
                await asyncio.sleep(LOOK_SECONDS)
        return self


@dataclass
class Site:
    folder: Path
    environment: dict[str, str]
    cookies: list[str]
    places: list[Place]
    port: int = field(default_factory=lambda: free_port())
    servers: list[Server] = field(default_factory=list)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def serve(self, *words: str, port: int = 0, **faults: Any) -> Server:
        """Starts `manage.py serve`, with the faults that are named, on the site's port or another."""
        port = port or self.port
        process = self.manage("serve", "--port", str(port), *words, **faults)
        self.servers.append(Server(process, port, self.log_file))
        return self.servers[-1]

    def manage(self, *words: str, **faults: Any) -> subprocess.Popen[bytes]:
        entry = ("-m", "tests.crash.serve_with_faults") if faults else ("manage.py",)
        environment = {**self.environment, "CRASH_FAULTS": json.dumps(faults)}
        command = [sys.executable, *entry, *words]
        with self.log_file.open("ab") as log:
            started = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self.processes.append(started)
        return started

    async def restart(self, *words: str, port: int = 0, **faults: Any) -> Server:
        """A new server, when it is ready."""
        return await self.serve(*words, port=port, **faults).ready()

    async def page(self, place: Place, *, person: int = 0) -> str:
        """What a conversation's page says, without its tags and with every space a single one."""
        address = f"http://127.0.0.1:{self.port}/conversations/{place.conversation}/"
        async with (
            aiohttp.ClientSession(cookies={"sessionid": self.cookies[person]}) as client,
            client.get(address) as answer,
        ):
            assert answer.status == 200
            text = TAG.sub("", await answer.text())
        return " ".join(html.unescape(text).split())

    def last_seq(self, place: Place) -> int:
        """Where a session's log ends now, for everybody but whoever is writing."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            statement = "SELECT last_seq FROM holdfast_session WHERE public_id = ?"
            [(last,)] = database.execute(statement, [place.session.replace("-", "")])
        return int(last)

    def owners(self) -> list[str]:
        """Who owns the turns that run now."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT owner FROM holdfast_turn WHERE state = 'running'")
            return [owner for (owner,) in rows]

    @property
    def log_file(self) -> Path:
        return self.folder / "server.log"

    @property
    def database(self) -> Path:
        return self.folder / "data" / "holdfast.sqlite3"

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8")

    def defects(self) -> list[str]:
        """Lines of the servers' logs that no fault excuses."""
        return [line for line in self.log().splitlines() if any(word in line for word in DEFECTS)]

    def examined(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(run(self.environment, "-m", "tests.crash.examine"))
        return facts

    def end(self) -> None:
        """Kills what still runs, also what sleeps."""
        for process in self.processes:
            process.kill()
            process.wait()


def new_site(folder: Path, *, people: int, conversations: int, **extra: str) -> Site:
    """Made from nothing, by the commands an operator uses."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "DJANGO_"))
    }
    environment.pop("DATABASE_URL", None)
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HOLDFAST_DATA_DIR": str(folder / "data"),
        "HOLDFAST_STATIC_DIR": str(folder / "static"),
        **extra,
    }
    run(environment, "manage.py", "migrate", "--verbosity=0")
    run(environment, "manage.py", "collectstatic", "--no-input", "--verbosity=0")
    made = json.loads(run(environment, "-m", "tests.crash.populate", str(people), str(conversations)))
    return Site(folder, environment, made["cookies"], [Place(**place) for place in made["conversations"]])


def copied_site(site: Site, folder: Path) -> Site:
    """The same again with its own data, in a fraction of the time."""
    shutil.copytree(site.folder / "data", folder / "data")
    environment = {**site.environment, "HOLDFAST_DATA_DIR": str(folder / "data")}
    return Site(folder, environment, site.cookies, site.places)


def run(environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, *words]
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port
