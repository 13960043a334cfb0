"""A client as docs/protocol.md wants it: shows what it is sent, acknowledges, and comes back after every cut.

It remembers everything it was shown and every promise it was given, for the checker.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.crash.sites import WAIT_SECONDS, Place, Site

SUBPROTOCOL = "holdfast.1"
AGAIN_SECONDS = (0.05, 0.4)
ANSWER_SECONDS = 40

Frame = dict[str, Any]


@dataclass
class Observer:
    """One tab of one person. `shown` is what stood on its screen, in order."""

    site: Site
    place: Place
    cookie: str
    port: int = 0
    shown: list[Frame] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    promised: list[Frame] = field(default_factory=list)
    closes: list[int | None] = field(default_factory=list)
    live_count: int = 0

    def __post_init__(self) -> None:
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._ids = itertools.count(1)
        self._news = asyncio.Event()

    @property
    def cursor(self) -> int:
        return self.shown[-1]["seq"] if self.shown else 0

    @property
    def is_live(self) -> bool:
        return self._socket is not None and self.live_count > 0

    async def watch(self) -> None:
        """Until it is cancelled: connects, follows, and connects again."""
        async with aiohttp.ClientSession(cookies={"sessionid": self.cookie}) as client:
            while True:
                with contextlib.suppress(aiohttp.ClientError, ConnectionError, TimeoutError):
                    await self._one_connection(client)
                self._fail_answers()
                await asyncio.sleep(random.uniform(*AGAIN_SECONDS))

    async def post(self, text: str, *, client_id: str = "") -> Frame:
        """Sends until it is promised, as often as it takes, under one client id."""
        client_id = client_id or uuid.uuid4().hex
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                answer = await self.ask("post", **self.message(text, client_id))
                if answer is not None and answer["type"] == "posted":
                    self.promised.append({**answer, "client_id": client_id, "text": text})
                    return answer
                await asyncio.sleep(0.1)

    async def ask(self, kind: str, **fields: Any) -> Frame | None:
        """The answer to a frame; None where the connection was cut, or there is none."""
        if self._socket is None or self._socket.closed:
            return None
        name = f"{kind}-{next(self._ids)}"
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send_json({"type": kind, "id": name, **fields})
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except (ConnectionError, aiohttp.ClientError, TimeoutError, asyncio.CancelledError):
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            return None

    def cut(self) -> None:
        """As when the train enters a tunnel: no goodbye."""
        if self._socket is not None and (transport := self._socket._writer.transport) is not None:
            transport.abort()

    async def until(self, is_so: Callable[[], bool], *, what: str) -> None:
        """Returns when something is true of what was shown; looked at whenever a frame comes."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not is_so():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(
                f"waited in vain until {what}; at {self.cursor}: {self.shown[-3:]}"
            ) from None

    async def until_sealed(self, replies: int = 1) -> None:
        await self.until(lambda: self.count("sealed") >= replies, what=f"{replies} replies are sealed")

    async def until_live(self) -> None:
        await self.until(lambda: self.is_live, what="it has caught up")

    async def until_at(self, seq: int) -> None:
        await self.until(lambda: self.cursor >= seq, what=f"it is at {seq}")

    async def until_shown(self, kind: str, count: int = 1) -> None:
        await self.until(lambda: self.count(kind) >= count, what=f"{count} of {kind} are shown")

    async def until_said(self, words: int) -> None:
        """How many events that takes depends on how busy the server is."""
        await self.until(lambda: self.words >= words, what=f"{words} words are said")

    @property
    def words(self) -> int:
        return len(
            "".join(event["payload"]["text"] for event in self.shown if event["kind"] == "text").split()
        )

    def count(self, kind: str) -> int:
        return sum(event["kind"] == kind for event in self.shown)

    async def until_told(self, kind: str, count: int = 1) -> None:
        await self.until(lambda: len(self.told(kind)) >= count, what=f"it is told of {kind} {count} times")

    def told(self, kind: str) -> list[Frame]:
        return [frame for frame in self.frames if frame["type"] == kind]

    def message(self, text: str, client_id: str) -> Frame:
        return {
            "conversation": self.place.conversation,
            "session": self.place.session,
            "client_id": client_id,
            "text": text,
        }

    async def _one_connection(self, client: aiohttp.ClientSession) -> None:
        address = f"http://127.0.0.1:{self.port or self.site.port}"
        goodbye = aiohttp.ClientWSTimeout(ws_close=1)
        socket = await client.ws_connect(
            f"{address}/ws/", protocols=[SUBPROTOCOL], origin=address, max_msg_size=0, timeout=goodbye
        )
        async with socket:
            self._socket = socket
            try:
                await self._follow(socket)
            finally:
                self._socket, self.live_count = None, 0
                self.closes.append(socket.close_code)

    async def _follow(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await socket.send_json(
            {"type": "subscribe", "id": "subscribe", "session": self.place.session, "after": self.cursor}
        )
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                break
            await self._take(json.loads(message.data), socket)
            self._news.set()

    async def _take(self, frame: Frame, socket: aiohttp.ClientWebSocketResponse) -> None:
        if frame["type"] == "events":
            self._show(frame)
            await socket.send_json({"type": "ack", "session": frame["session"], "seq": frame["last"]})
            return
        self.frames.append(frame)
        if frame["type"] == "caught_up":
            self.live_count += 1
        elif answer := self._answers.pop(frame.get("re") or "", None):
            answer.set_result(frame)

    def _show(self, frame: Frame) -> None:
        for event in frame["events"]:
            if event["seq"] != self.cursor + 1:
                self.faults.append(f"was at {self.cursor} and was sent {event['seq']}")
            self.shown.append(event)

    def _fail_answers(self) -> None:
        for answer in self._answers.values():
            answer.cancel()
        self._answers.clear()
