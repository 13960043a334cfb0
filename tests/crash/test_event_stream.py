"""F1 for scripts: curl follows a session's log as a stream, and comes back with its last id after each kill."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.crash.conftest import eventually
from tests.crash.ledger import Count, rounds
from tests.crash.sites import LOOK_SECONDS, Place, Site, run
from tests.provision.curl import curl

KILLS = 2
QUESTION = "think 20; tokens 200 at 60/s"
LONGEST_LINE = 2**24


@dataclass
class Curl:
    """One script's calls of curl, all that they have received in whole events, and how often they were cut."""

    site: Site
    place: Place
    token: str
    events: list[dict[str, Any]] = field(default_factory=list)
    cuts: int = 0

    def post(self, text: str) -> None:
        address = f"{self._api}/conversations/{self.place.conversation}/messages"
        words = ["-H", "Content-Type: application/json", "-d", json.dumps({"text": text}), address]
        subprocess.run([str(curl()), "-sS", "--fail", *self._token, *words], check=True, capture_output=True)

    async def follow(self) -> None:
        """Until a turn has ended, whatever happens to the server."""
        while not self._is_done:
            await self._follow_once()
            self.cuts += 1
            await asyncio.sleep(LOOK_SECONDS)

    async def _follow_once(self) -> None:
        last = self.events[-1]["seq"] if self.events else 0
        words = ["-H", "Accept: text/event-stream", "-H", f"Last-Event-ID: {last}"]
        address = f"{self._api}/sessions/{self.place.session}/events"
        process = await asyncio.create_subprocess_exec(
            str(curl()), "-sN", *self._token, *words, address,
            stdout=asyncio.subprocess.PIPE, limit=LONGEST_LINE,
        )  # fmt: skip
        assert process.stdout is not None
        data = b""
        async for line in process.stdout:
            if line.startswith(b"data: "):
                data = line.removeprefix(b"data: ")
            elif line == b"\n" and data:
                self.events.append(json.loads(data))
                data = b""
            if self._is_done:
                process.kill()
        await process.wait()

    @property
    def _is_done(self) -> bool:
        return bool(self.events) and self.events[-1]["kind"] == "sealed"

    @property
    def _api(self) -> str:
        return f"http://127.0.0.1:{self.site.port}/api/v1"

    @property
    def _token(self) -> list[str]:
        return ["-H", f"Authorization: Bearer {self.token}"]


@pytest.mark.fault("F1 kill -9 of the server while curl reads the log as a stream")
@rounds(1, trials_each=KILLS)
async def test_curl_gets_every_event_once_across_kills(site: Site, count_trials: Count, seed: int) -> None:
    chance = random.Random(seed)
    token = run(site.environment, "-m", "tests.crash.make_token", "person0", "write")
    server, script = await site.restart(), Curl(site, site.places[0], token)
    following = asyncio.create_task(script.follow())
    await asyncio.to_thread(script.post, QUESTION)
    for _ in range(KILLS):
        so_far = len(script.events) + chance.randint(5, 25)
        await eventually(lambda: len(script.events) > so_far, what="curl has received more")  # noqa: B023
        server.kill()
        server = await site.restart()
    await following
    facts = site.examined()
    assert script.cuts > KILLS
    assert script.events == facts["sessions"][script.place.session]["events"]
    assert facts["findings"] == []
    assert site.defects() == []
    count_trials(KILLS)
