"""Readers without Holdfast: an aiohttp client that reads the emitter's streams, and nothing else."""

from __future__ import annotations

import asyncio

import aiohttp

from bench.live.plan import question
from bench.live.tally import Tally

MARK = b'"content":"'


async def read_directly(host: str, tally: Tally) -> None:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(
            *(read_one(session, host, number, tally) for number in range(tally.plan.streams))
        )


async def read_one(session: aiohttp.ClientSession, host: str, number: int, tally: Tally) -> None:
    url = f"http://{host}/v1/chat/completions"
    no_limit = aiohttp.ClientTimeout(total=None)
    async with session.post(url, json=question(tally.plan), timeout=no_limit) as response:
        held = b""
        while chunk := await response.content.readany():
            events = (held + chunk).split(b"\n\n")
            held = events.pop()
            for event in events:
                _, found, text = event.partition(MARK)
                if found:
                    tally.take(number, text[: text.index(b'"')])
