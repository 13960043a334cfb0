"""Requests a second of the API and of bare views at one server, in turns: reading a page, and posting."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from dataclasses import dataclass, field

import aiohttp

from bench.live.processes import server
from bench.tables import print_table
from bench.targets import Target
from bench.transcripts import cast, conversation_with
from chat.models import Scope
from chat.tokens import create_token

AT_ONCE = 4
ROUNDS, REQUESTS = 9, 120
QUICK_ROUNDS, QUICK_REQUESTS = 1, 8
MOST = 1.5
SERVE = ("manage.py", "serve", "--no-agents")


@dataclass
class Trial:
    """One kind of request, and what each round of it took."""

    name: str
    address: str
    text: str = ""
    seconds: list[float] = field(default_factory=list)

    @property
    def each(self) -> float:
        return statistics.median(self.seconds)


def measure(*, quick: bool) -> list[Target]:
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.rest.settings"
    os.environ["HOLDFAST_API_REQUESTS_A_SECOND"] = "100000"
    people = cast()
    conversation = conversation_with(people, exchanges=50, texts=20)
    _, token = create_token(people.alice, name="bench", scope=Scope.WRITE)
    of = f"/api/v1/conversations/{conversation.public_id}/messages"
    bare = f"/bare/{conversation.public_id}"
    pairs = [
        (Trial("a page of 50, bare", bare), Trial("a page of 50, the API", of)),
        (Trial("a post, bare", f"{bare}/post", "hello"), Trial("a post, the API", of, "hello")),
    ]
    with server(SERVE) as (_, host):
        asyncio.run(run(pairs, f"http://{host}", token, quick=quick))
    return report(pairs)


async def run(pairs: list[tuple[Trial, Trial]], origin: str, token: str, *, quick: bool) -> None:
    rounds, requests = (QUICK_ROUNDS, QUICK_REQUESTS) if quick else (ROUNDS, REQUESTS)
    async with aiohttp.ClientSession(origin, headers={"Authorization": f"Bearer {token}"}) as client:
        for pair in pairs:
            for number in range(rounds + 1):
                for trial in pair if number % 2 else pair[::-1]:
                    seconds = await one_round(client, trial, requests)
                    if number > 0:  # the first round warms caches
                        trial.seconds.append(seconds / requests)


async def one_round(client: aiohttp.ClientSession, trial: Trial, requests: int) -> float:
    begun = time.perf_counter()
    await asyncio.gather(*(ask_often(client, trial, requests // AT_ONCE) for _ in range(AT_ONCE)))
    return time.perf_counter() - begun


async def ask_often(client: aiohttp.ClientSession, trial: Trial, times: int) -> None:
    method, body = ("POST", {"text": trial.text}) if trial.text else ("GET", None)
    for _ in range(times):
        async with client.request(method, trial.address, json=body) as response:
            await response.read()
            assert response.status in (200, 201), await response.text()


def report(pairs: list[tuple[Trial, Trial]]) -> list[Target]:
    rows = [
        (trial.name, f"{1 / trial.each:,.0f}", f"{trial.each * 1000:.2f} ms")
        for pair in pairs
        for trial in pair
    ]
    print_table(f"What the API costs, {AT_ONCE} requests at once", ("", "a second", "each"), rows)
    targets = [
        Target(f"{api.name} beside a bare view", statistics.median(ratios(bare, api)), MOST)
        for bare, api in pairs
    ]
    print_table(
        "Beside a bare view", ("", "measured", "target", ""), [(one.name, *one.cells) for one in targets]
    )
    return targets


def ratios(bare: Trial, api: Trial) -> list[float]:
    """Of rounds that followed each other, so that both had the same machine."""
    return [mine / its for its, mine in zip(bare.seconds, api.seconds, strict=True)]
