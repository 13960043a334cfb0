"""How a door tells the process, from any thread, that its service has committed something."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from chat.broadcast.hub import Hub
from chat.broadcast.neighbours import Neighbours
from chat.broadcast.place import Place, place_of
from sessions_app.models import Conversation, Workspace


@dataclass
class Station:
    """The hub of this process, the loop it lives on, and the other processes."""

    hub: Hub
    loop: asyncio.AbstractEventLoop
    neighbours: Neighbours


_station: Station | None = None


def install(station: Station | None) -> None:
    """Called once when a process begins to serve or to run agents, and with None when it ends."""
    global _station
    _station = station


def station() -> Station:
    if _station is None:
        raise RuntimeError("This process serves nothing: start it with manage.py serve or run_agents.")
    return _station


def announce(conversation: Conversation) -> None:
    """Followers read on, agents look for turns, lists are fetched again. A process without a hub (a command)
    says nothing: those that serve notice within their poll."""
    if _station is not None:
        _station.loop.call_soon_threadsafe(_announce, _station, place_of(conversation))


def announce_access(workspace: Workspace | None = None) -> None:
    """Somebody may see or do less, or more, than a moment ago: every open line is looked at now instead of in a
    few seconds. With a workspace its lists are fetched again."""
    if _station is not None:
        _station.loop.call_soon_threadsafe(_announce_access, _station, *_lists_of(workspace))


def _lists_of(workspace: Workspace | None) -> tuple[int, str]:
    return (workspace.pk, str(workspace.public_id)) if workspace is not None else (0, "")


def _announce_access(here: Station, workspace_id: int, workspace: str) -> None:
    here.hub.access_changed(workspace_id, workspace)
    here.neighbours.tell_access_changed(workspace_id, workspace)


def _announce(here: Station, place: Place) -> None:
    here.hub.changed(place)
    here.neighbours.tell_changed(place)
