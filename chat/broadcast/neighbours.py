"""The other processes: nudges to them and from them, over a channel layer that may lose any of them."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

import structlog
from channels.layers import channel_layers

from chat.broadcast.hub import Hub
from chat.broadcast.place import Place
from chat.broadcast.rooms import Person
from chat.wire import Piece

LAYER = "nudges"
GROUP = "holdfast"
MOST_CHARACTERS = 64 * 1024
QUEUE_LENGTH = 1000
RETRY_SECONDS = 1.0
PRESENCE_SECONDS = 25

log = structlog.get_logger(__name__)

Nudge = dict[str, Any]


class Neighbours:
    """Nothing depends on a nudge: whoever misses one finds the same in the log, at the latest by the poll."""

    def __init__(self, hub: Hub) -> None:
        self.name = uuid.uuid4().hex
        self._hub = hub
        self._layer: Any = channel_layers[LAYER] if LAYER in channel_layers.configs else None
        self._outgoing: asyncio.Queue[Nudge] = asyncio.Queue(QUEUE_LENGTH)
        hub.rooms.tell_elsewhere = self.tell_presence

    def tell_committed(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces if self._layer is not None else ():
            items = piece.items if len(piece.items) <= MOST_CHARACTERS else ""
            self._tell("committed", **(asdict(piece) | {"items": items}))

    def tell_changed(self, place: Place) -> None:
        self._tell("changed", **asdict(place))

    def tell_access_changed(self, workspace_id: int, workspace: str) -> None:
        self._tell("access", workspace_id=workspace_id, workspace=workspace)

    def tell_typing(self, place: Place, person: Person) -> None:
        self._tell("typing", **asdict(place), person=person)

    def tell_presence(self, place: Place, people: list[Person]) -> None:
        self._tell("presence", **asdict(place), people=people)

    async def run(self) -> None:
        """Sends and receives until it is cancelled; a layer that is down is tried again and again."""
        if self._layer is None:
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._send())
            group.create_task(self._receive())
            group.create_task(self._tell_presence_again())

    def _tell(self, what: str, **fields: Any) -> None:
        """A full queue means that the layer is slow or gone: this nudge is lost, as any may be."""
        if self._layer is not None:
            with contextlib.suppress(asyncio.QueueFull):
                self._outgoing.put_nowait({"type": "nudge", "from": self.name, "what": what, **fields})

    async def _send(self) -> None:
        while True:
            nudge = await self._outgoing.get()
            try:
                await self._layer.group_send(GROUP, nudge)
            except Exception as error:
                await self._pause("nudge_not_sent", error)

    async def _receive(self) -> None:
        while True:
            try:
                channel = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
                while True:
                    self._take(await self._layer.receive(channel))
            except Exception as error:
                await self._pause("nudges_not_received", error)

    async def _tell_presence_again(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            self._hub.rooms.tell_elsewhere_again()

    async def _pause(self, what: str, error: Exception) -> None:
        log.warning(what, error=str(error))
        await asyncio.sleep(RETRY_SECONDS)

    def _take(self, nudge: Nudge) -> None:
        if nudge["from"] == self.name:
            return
        match nudge["what"]:
            case "committed":
                self._take_committed(nudge)
            case "changed":
                self._hub.changed(_place(nudge))
            case "access":
                self._hub.access_changed(nudge["workspace_id"], nudge["workspace"])
            case "typing":
                self._hub.rooms.typing(_place(nudge), nudge["person"])
            case "presence":
                self._hub.rooms.heard_of(_place(nudge), nudge["from"], nudge["people"])

    def _take_committed(self, nudge: Nudge) -> None:
        piece = Piece(**{field.name: nudge[field.name] for field in fields(Piece)})
        if piece.items:
            self._hub.committed([piece])
        else:
            self._hub.nudged(piece.session_id, piece.last)


def _place(nudge: Nudge) -> Place:
    return Place(**{field.name: nudge[field.name] for field in fields(Place)})
