"""The socket of one tab: follows one session at a time, takes what its person sends, and answers every frame."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth.models import AnonymousUser
from django.db import Error

from chat import wire
from chat.broadcast.announcing import announce, station
from chat.broadcast.place import Place
from chat.buckets import Bucket, TooFast
from chat.consumers import finding
from chat.consumers.acts import ACTS, RATES, perform
from chat.consumers.following import Following
from chat.consumers.frames import Frame, NotAFrame, id_of, number_in, parsed, text_in, uuid_in
from chat.consumers.outbox import Outbox
from chat.database_threads import read, write
from chat.metrics import SOCKETS
from chat.origins import address_in
from chat.rates import Rate, count
from chat.turns.compaction import compact_on_request
from sessions_app.errors import Conflict, DatabaseBusy, HoldfastError
from sessions_app.models import User
from sessions_app.services.transcript import LONGEST_BYTES

SOCKETS_A_PERSON = 50
REFUSALS_ALLOWED = 50

log = structlog.get_logger(__name__)


class ConversationConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Frames are handled one after the other; what they name is looked up anew for each (P11)."""

    place: Place | None = None
    person: dict[str, str]
    workspace_ids: frozenset[int] = frozenset()
    level: str | None = None
    _beside: asyncio.Task[None] | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Without the visit to the shared database thread that the library makes before every frame."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def send(self, text_data: str, *, close: bool = False) -> None:
        """Somebody who has just left is sent nothing: `disconnect` comes next, and is no defect."""
        with contextlib.suppress(Disconnected):
            await super().send(text_data, close=close)

    async def connect(self) -> None:
        """Called once; nothing is sent before the person and the protocol are known."""
        is_ours = wire.SUBPROTOCOL in self.scope["subprotocols"]
        await self.accept(wire.SUBPROTOCOL if is_ours else None)
        user = self.scope["user"]
        self.address = address_in(self.scope)
        if not is_ours:
            await self.close(wire.OTHER_PROTOCOL)
        elif not self._may_open(user):
            await self.close(wire.TOO_MANY)
        elif not user.is_authenticated:
            await self.close(wire.NOT_SIGNED_IN)
        else:
            await self._begin(user)

    def _may_open(self, user: User | AnonymousUser) -> bool:
        try:
            count(Rate.CONNECT, person=user.pk, address=self.address)
        except TooFast:
            return False
        open_now: int = sum(socket.user_id == user.pk for socket in self.rooms.sockets)
        return open_now < SOCKETS_A_PERSON

    async def _begin(self, user: User) -> None:
        self.user_id = user.pk
        self.person = {"id": str(user.public_id), "name": user.name}
        self.login_key = self.scope["session"].session_key if "session" in self.scope else None
        self.login_hash = user.get_session_auth_hash()
        self.heard_at = time.monotonic()
        self._speed, self._refusals = Bucket(burst=100, a_second=30), 0
        self._small_talk = Bucket(burst=2_000, a_second=500)
        self.workspace_ids = await read(finding.workspaces_of, user.pk)
        await self._say_hello()
        self._following, self._outbox = Following(self.send), Outbox(self.send)
        self.rooms.sockets.add(self)
        SOCKETS.set(len(self.rooms.sockets))
        if station().hub.is_delayed:
            self.push(wire.frame("delayed", delayed=True))

    async def _say_hello(self) -> None:
        text = wire.frame(
            "hello",
            protocol=wire.PROTOCOL,
            instance=await read(finding.instance_id),
            user=self.person,
            message_bytes=LONGEST_BYTES,
            frame_bytes=wire.FRAME_BYTES,
            heartbeat_seconds=wire.HEARTBEAT_SECONDS,
        )
        await self.send(text)

    async def disconnect(self, code: int) -> None:
        if self._beside is not None:
            self._beside.cancel()
        if hasattr(self, "_outbox"):
            self.rooms.leave(self)
            self.rooms.sockets.discard(self)
            SOCKETS.set(len(self.rooms.sockets))
            await asyncio.gather(self._following.stop(), self._outbox.stop())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Called for every inbound frame: an answer or an error, and never an exception."""
        if not hasattr(self, "_outbox"):
            return
        self.heard_at = time.monotonic()
        try:
            frame = parsed(text_data)
        except NotAFrame as error:
            await self._refuse(error, None)
        else:
            await self._guarded(frame, self._handle)

    async def _guarded(self, frame: Frame, handle: Callable[[Frame], Awaitable[None]]) -> None:
        try:
            await handle(frame)
        except HoldfastError as error:
            await self._refuse(error, id_of(frame))
        except Error as error:
            log.warning("socket_database", error=str(error))
            await self.send(wire.error_frame(DatabaseBusy(), id_of(frame)))
        except Exception:
            log.exception("socket_broke", kind=frame.get("type"))
            await self.send(wire.failure_frame(id_of(frame)))

    async def _handle(self, frame: Frame) -> None:
        match frame["type"]:
            case "ack":
                # Heard first: one that was refused would leave a reader who goes by it waiting for ever.
                self._following.acknowledge(text_in(frame, "session"), number_in(frame, "seq"))
                self._small_talk.take()
            case "ping":
                self._small_talk.take()
                await self._answer(frame, "pong")
            case kind:
                self._count(kind)
                await self._act(kind, frame)

    def _count(self, kind: str) -> None:
        self._speed.take()
        if rate := RATES.get(kind):
            count(rate, person=self.user_id, address=self.address)

    async def _act(self, kind: str, frame: Frame) -> None:
        match kind:
            case "subscribe":
                await self._subscribe(frame)
            case "unsubscribe":
                await self._following.stop()
                self.rooms.leave(self)
                await self._answer(frame, "done")
            case "typing":
                await self._typing(frame)
            case "compact":
                self._compact_beside(frame)
            case _ if kind in ACTS:
                answer = await write(perform, self.user_id, frame)
                await self._answer(frame, answer.kind, **answer.fields)
                announce(answer.conversation)
            case _:
                raise NotAFrame("This version knows no frame of this type; nothing was done.")

    async def _subscribe(self, frame: Frame) -> None:
        after = number_in(frame, "after")
        found = await read(finding.find_subscription, self.user_id, uuid_in(frame, "session"))
        await self._following.stop()
        await self._answer(
            frame,
            "subscribed",
            conversation=found.place.conversation,
            session=found.session,
            as_of=found.last_seq,
            active=found.is_active,
            role=found.role,
            level=found.level,
        )
        self.level = found.level
        self._following.start(found, after=after, with_blocks=frame.get("blocks") is True)
        self.rooms.enter(self, found.place)

    def _compact_beside(self, frame: Frame) -> None:
        if self._beside is not None and not self._beside.done():
            raise Conflict("A summary is being made already; nothing was changed.")
        self._beside = asyncio.ensure_future(self._guarded(frame, self._compact))

    async def _compact(self, frame: Frame) -> None:
        """Takes as long as the agent takes to sum up; the answer comes when the log has it."""
        wanted = uuid_in(frame, "conversation")
        user, conversation = await read(finding.find_person_and_conversation, self.user_id, wanted)
        await compact_on_request(conversation, by=user)
        await self._answer(frame, "done")
        announce(conversation)

    async def _typing(self, frame: Frame) -> None:
        """Heard only from somebody who is in the conversation, which access was checked for."""
        place = self.place
        if place is not None and place.conversation == frame.get("conversation"):
            self.rooms.typing(place, self.person)
            station().neighbours.tell_typing(place, self.person)

    async def _answer(self, frame: Frame, kind: str, **fields: Any) -> None:
        await self.send(wire.frame(kind, re=id_of(frame), **fields))

    async def _refuse(self, error: HoldfastError, re: str | None) -> None:
        """Patience with mistakes, not with floods."""
        await self.send(wire.error_frame(error, re))
        if isinstance(error, (TooFast, NotAFrame)):
            self._refusals += 1
            if self._refusals > REFUSALS_ALLOWED:
                await self.close(wire.BAD_FRAMES if isinstance(error, NotAFrame) else wire.TOO_MANY)

    @property
    def rooms(self) -> Any:
        return station().hub.rooms

    def push(self, text: str) -> bool:
        """Called by rooms. A reader who is behind is spared what it can do without."""
        return not self._following.is_behind and self._outbox.push(text)

    def end(self, code: int, last: str = "") -> None:
        """Called when access was taken away or nobody answers: not another byte of the log."""
        self._following.cancel()
        self._outbox.end(lambda: self._close_after(last, code))

    async def _close_after(self, last: str, code: int) -> None:
        if last:
            await self.send(last)
        await self.close(code)
