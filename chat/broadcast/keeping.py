"""Keeps sockets honest: a heartbeat to all, silence ends one, and so does access that was taken away (P11)."""

from __future__ import annotations

import asyncio
import contextlib
import time

import structlog
from django.db import Error
from django.utils import timezone

from chat import wire
from chat.broadcast.place import Place
from chat.broadcast.rooms import Rooms, Socket
from chat.broadcast.standings import Asked, Standing, standings
from chat.database_threads import read

LOOK_SECONDS = 3.0
PAUSE_SECONDS = 0.1  # many changes at once are one look
SILENCE_SECONDS = 60.0

log = structlog.get_logger(__name__)


async def send_heartbeats(rooms: Rooms) -> None:
    while True:
        await asyncio.sleep(wire.HEARTBEAT_SECONDS)
        rooms.tell_everybody(wire.frame("heartbeat", at=timezone.now().isoformat()))
        quiet_since = time.monotonic() - SILENCE_SECONDS
        for socket in [socket for socket in rooms.sockets if socket.heard_at < quiet_since]:
            socket.end(wire.SILENT)


async def watch_access(rooms: Rooms) -> None:
    """One look at the database for all sockets, instead of one for each frame that goes out: every few seconds,
    and at once when somebody has changed who may do what."""
    while True:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await rooms.doubted.wait()
        rooms.doubted.clear()
        try:
            await _look(rooms)
        except Error as error:
            log.warning("access_not_checked", error=str(error))
        await asyncio.sleep(PAUSE_SECONDS)


async def _look(rooms: Rooms) -> None:
    sockets = list(rooms.sockets)
    asked = [
        Asked(
            socket.user_id,
            socket.login_key,
            socket.place.conversation_id if socket.place else None,
            socket.login_hash,
        )
        for socket in sockets
    ]
    found = await read(standings, asked) if asked else []
    for socket, one, standing in zip(sockets, asked, found, strict=True):
        _apply(socket, one, standing)


def _apply(socket: Socket, asked: Asked, found: Standing) -> None:
    socket.workspace_ids = found.workspace_ids
    if found.lost is not None:
        last = wire.frame("access_lost", why=found.lost, sentence=found.lost.sentence)
        socket.end(wire.ACCESS_LOST, last)
    elif socket.place is not None and socket.place.conversation_id == asked.conversation_id:
        _tell_level(socket, socket.place, found.level)


def _tell_level(socket: Socket, place: Place, level: str | None) -> None:
    """A reader who is behind is told when they are not."""
    text = wire.frame("standing", conversation=place.conversation, level=level)
    if socket.level != level and socket.push(text):
        socket.level = level
