"""A tab of somebody: speaks the protocol through a communicator, and keeps every frame it was sent."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from channels.testing import WebsocketCommunicator

from chat.consumers import ConversationConsumer
from chat.wire import SUBPROTOCOL
from sessions_app.models import Conversation, User

PATIENCE_SECONDS = 20.0

Frame = dict[str, Any]


class Tab:
    def __init__(self, user: Any, *, subprotocols: tuple[str, ...] = (SUBPROTOCOL,)) -> None:
        application = ConversationConsumer.as_asgi()
        self._socket = WebsocketCommunicator(application, "/ws/", subprotocols=list(subprotocols))
        self._socket.scope["user"] = user
        self._ids = itertools.count(1)
        self.frames: list[Frame] = []
        self.acknowledges = True

    async def open(self) -> None:
        connected, _ = await self._socket.connect(timeout=PATIENCE_SECONDS)
        assert connected

    async def close(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await self._socket.disconnect()

    async def send(self, kind: str, **fields: Any) -> str:
        """Sends a frame with an id of its own, which it gives."""
        number = str(next(self._ids))
        await self.send_text(json.dumps({"type": kind, "id": number, **fields}))
        return number

    async def send_text(self, text: str) -> None:
        await self._socket.send_to(text_data=text)

    async def send_bytes(self, data: bytes) -> None:
        await self._socket.send_to(bytes_data=data)

    async def ask(self, kind: str, **fields: Any) -> Frame:
        """Sends a frame and gives its answer."""
        number = await self.send(kind, **fields)
        return await self.wait_for(lambda frame: frame.get("re") == number)

    async def wait_for(self, is_it: Any) -> Frame:
        """The next frame that is it, newly received."""
        while True:
            frame = await self.receive()
            if is_it(frame):
                return frame

    async def receive(self) -> Frame:
        output = await self._socket.receive_output(timeout=PATIENCE_SECONDS)
        assert output["type"] == "websocket.send", output
        frame: Frame = json.loads(output["text"])
        self.frames.append(frame)
        if frame["type"] == "events" and self.acknowledges:
            await self.send("ack", session=frame["session"], seq=frame["last"])
        return frame

    async def closed(self) -> int:
        """The code it is closed with; what comes before is kept."""
        while True:
            output = await self._socket.receive_output(timeout=PATIENCE_SECONDS)
            if output["type"] == "websocket.close":
                return int(output["code"])
            self.frames.append(json.loads(output["text"]))

    async def is_silent(self, seconds: float) -> bool:
        return bool(await self._socket.receive_nothing(timeout=seconds))

    async def subscribe(self, conversation: Conversation, *, after: int = 0) -> Frame:
        return await self.ask("subscribe", session=str(conversation.active_session.public_id), after=after)

    async def until_sealed(self) -> None:
        """Until a reply was sealed."""
        await self.wait_for(lambda frame: any(event["kind"] == "sealed" for event in frame.get("events", ())))

    @property
    def events(self) -> list[Frame]:
        return [event for frame in self.frames if frame["type"] == "events" for event in frame["events"]]

    @property
    def text(self) -> str:
        """What the agent was seen to write."""
        return "".join(event["payload"]["text"] for event in self.events if event["kind"] == "text")


@contextlib.asynccontextmanager
async def tab_of(user: User) -> AsyncIterator[Tab]:
    """An open tab that has been greeted."""
    tab = Tab(user)
    await tab.open()
    await tab.wait_for(lambda frame: frame["type"] == "hello")
    try:
        yield tab
    finally:
        await tab.close()


def message_to(conversation: Conversation, text: str) -> Frame:
    return {
        "conversation": str(conversation.public_id),
        "session": None,
        "client_id": uuid.uuid4().hex,
        "text": text,
    }
