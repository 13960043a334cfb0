"""Who is here: the open sockets of a process, by person, team and conversation."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Protocol

from chat.broadcast.place import Place
from chat.wire import frame

# A thousand people who come back at once are told of each other once, not a thousand times.
PRESENCE_SECONDS = 0.3
# Other processes say every 25 s who is there; one that has died is believed a little longer.
ELSEWHERE_SECONDS = 60

Person = dict[str, str]


class Socket(Protocol):
    """What a room knows of a socket. `push` sends a frame soon, or says that it does not; `end` closes soon,
    with a last frame. Neither waits. `level` is how far its person was told that they reach in `place`."""

    user_id: int
    login_key: str | None
    login_hash: str
    heard_at: float
    person: Person
    workspace_ids: frozenset[int]
    place: Place | None
    level: str | None

    def push(self, text: str) -> bool: ...

    def end(self, code: int, last: str = "") -> None: ...


class Rooms:
    """`tell_elsewhere` is called with who has a conversation open here, for the other processes."""

    def __init__(self) -> None:
        self.sockets: set[Socket] = set()
        self.doubted = asyncio.Event()
        self.tell_elsewhere: Callable[[Place, list[Person]], None] = lambda place, people: None
        self._inside: dict[int, set[Socket]] = defaultdict(set)
        self._elsewhere: dict[int, dict[str, tuple[float, list[Person]]]] = defaultdict(dict)
        self._telling: set[int] = set()

    def enter(self, socket: Socket, place: Place) -> None:
        """Moves a socket into a conversation, out of the one it was in."""
        self.leave(socket)
        socket.place = place
        self._inside[place.conversation_id].add(socket)
        self._tell_presence(place)

    def leave(self, socket: Socket) -> None:
        place, socket.place = socket.place, None
        if place is None:
            return
        self._inside[place.conversation_id].discard(socket)
        if not self._inside[place.conversation_id]:
            del self._inside[place.conversation_id]
        self._tell_presence(place)

    def here(self, conversation_id: int) -> list[Person]:
        """Each person who has it open in this process, once, however many tabs they have."""
        people = {socket.person["id"]: socket.person for socket in self._inside.get(conversation_id, ())}
        return list(people.values())

    def people(self, conversation_id: int) -> list[Person]:
        """Everybody who has it open anywhere, in the order of names."""
        since = time.monotonic() - ELSEWHERE_SECONDS
        heard = self._elsewhere.get(conversation_id, {}).values()
        elsewhere = [person for at, people in heard if at > since for person in people]
        once = {person["id"]: person for person in [*self.here(conversation_id), *elsewhere]}
        return sorted(once.values(), key=lambda person: (person["name"], person["id"]))

    def heard_of(self, place: Place, process: str, people: list[Person]) -> None:
        """Another process says who has a conversation open there."""
        before = self.people(place.conversation_id)
        self._elsewhere[place.conversation_id][process] = (time.monotonic(), people)
        if before != self.people(place.conversation_id):
            self._tell_here(place)

    def tell_elsewhere_again(self) -> None:
        for sockets in list(self._inside.values()):
            place = next(iter(sockets)).place
            assert place is not None
            self.tell_elsewhere(place, self.here(place.conversation_id))

    def typing(self, place: Place, person: Person) -> None:
        text = frame("typing", conversation=place.conversation, person=person)
        for socket in self._inside.get(place.conversation_id, ()):
            if socket.person["id"] != person["id"]:
                socket.push(text)

    def feed(self, place: Place, readers: Collection[int] | None = None) -> None:
        """`readers` are the people to whom the conversation exists; None where it does to its whole workspace."""
        text = frame("feed", conversation=place.conversation, workspace=place.workspace)
        for socket in self._in_workspace(place.workspace_id):
            if readers is None or socket.user_id in readers:
                socket.push(text)

    def feed_list(self, workspace_id: int, workspace: str) -> None:
        """Something came into the lists of this workspace or went out of them, and nobody is told what."""
        text = frame("feed", conversation=None, workspace=workspace)
        for socket in self._in_workspace(workspace_id):
            socket.push(text)

    def people_in(self, workspace_id: int) -> set[int]:
        return {socket.user_id for socket in self._in_workspace(workspace_id)}

    def tell_everybody(self, text: str) -> None:
        for socket in self.sockets:
            socket.push(text)

    def _in_workspace(self, workspace_id: int) -> list[Socket]:
        return [socket for socket in self.sockets if workspace_id in socket.workspace_ids]

    def _tell_presence(self, place: Place) -> None:
        if place.conversation_id in self._telling:
            return
        self._telling.add(place.conversation_id)
        asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._tell_presence_now, place)

    def _tell_presence_now(self, place: Place) -> None:
        self._telling.discard(place.conversation_id)
        self._tell_here(place)
        self.tell_elsewhere(place, self.here(place.conversation_id))

    def _tell_here(self, place: Place) -> None:
        people = self.people(place.conversation_id)
        text = frame("presence", conversation=place.conversation, people=people)
        for socket in self._inside.get(place.conversation_id, ()):
            socket.push(text)
