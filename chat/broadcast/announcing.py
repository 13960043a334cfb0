"""How a door tells the process, from any thread, that its service has committed something."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from chat.broadcast.hub import Hub
from chat.broadcast.neighbours import Neighbours
from chat.broadcast.place import Place, place_of
from sessions_app.models import Conversation


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


def _announce(here: Station, place: Place) -> None:
    here.hub.changed(place)
    here.neighbours.tell_changed(place)
