"""Keeps sockets honest: a heartbeat to all, silence ends one, and so does access that was taken away (P11)."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.contrib.sessions.models import Session as LoginSession
from django.db import Error
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from chat import wire
from chat.broadcast.rooms import Rooms, Socket
from chat.database_threads import read
from sessions_app.models import Conversation, Membership, User

LOOK_SECONDS = 3.0
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
    """One look at the database for all sockets, instead of one for each frame that goes out."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await _look(rooms)
        except Error as error:
            log.warning("access_not_checked", error=str(error))


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
    for socket, found in zip(sockets, await read(standings, asked) if asked else (), strict=True):
        _apply(socket, found)


def _apply(socket: Socket, found: Standing) -> None:
    socket.workspace_ids = found.workspace_ids
    if not found.is_signed_in:
        socket.end(wire.NOT_SIGNED_IN)
    elif not found.may_read:
        socket.end(wire.ACCESS_LOST)


@dataclass(frozen=True)
class Asked:
    user_id: int
    login_key: str | None
    conversation_id: int | None
    login_hash: str = ""  # changes with the password; empty for who came in without one


@dataclass(frozen=True)
class Standing:
    """What somebody may still do."""

    is_signed_in: bool
    may_read: bool
    workspace_ids: frozenset[int]


def standings(asked: Sequence[Asked]) -> list[Standing]:
    users = {
        user.pk: user for user in User.objects.filter(pk__in={one.user_id for one in asked}, is_active=True)
    }
    keys = {one.login_key for one in asked if one.login_key}
    logins = LoginSession.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    living = set(logins.values_list("session_key", flat=True))
    readable = _readable(asked, users)
    teams = _teams(users)
    return [
        Standing(
            is_signed_in=_is_signed_in(one, users.get(one.user_id), living),
            may_read=one.conversation_id is None or one.conversation_id in readable[one.user_id],
            workspace_ids=frozenset(teams[one.user_id]),
        )
        for one in asked
    ]


def _is_signed_in(one: Asked, user: User | None, living: set[str]) -> bool:
    """Deactivated, logged out or with another password than then: no longer."""
    if user is None or (one.login_key is not None and one.login_key not in living):
        return False
    return not one.login_hash or constant_time_compare(one.login_hash, user.get_session_auth_hash())


def _readable(asked: Sequence[Asked], users: dict[int, User]) -> dict[int, set[int]]:
    """By person, which of the conversations they have open they may still see."""
    opened: dict[int, set[int]] = defaultdict(set)
    for one in asked:
        if one.conversation_id is not None and one.user_id in users:
            opened[one.user_id].add(one.conversation_id)
    readable: dict[int, set[int]] = defaultdict(set)
    for user_id, ids in opened.items():
        visible = Conversation.objects.visible_to(users[user_id]).filter(pk__in=ids)
        readable[user_id] = set(visible.values_list("pk", flat=True))
    return readable


def _teams(users: dict[int, User]) -> dict[int, set[int]]:
    teams: dict[int, set[int]] = defaultdict(set)
    for user_id, workspace_id in Membership.objects.filter(user__in=users).values_list(
        "user_id", "workspace_id"
    ):
        teams[user_id].add(workspace_id)
    return teams
