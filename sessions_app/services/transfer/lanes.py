"""Shows the records of a file as the rows they will be, so that `verify` can walk them before they are any.

None of these rows is ever saved: public ids stand where the database will put its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from sessions_app.canonical import canonical_json
from sessions_app.models import Agent, Checkpoint, Conversation, Message, Session, Turn, User, Workspace
from sessions_app.services.transfer.fields import moment
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.scan import Contents
from sessions_app.services.verify.lanes import Lanes
from sessions_app.services.verify.view import Row

T = TypeVar("T")


@dataclass(frozen=True)
class BySession(Generic[T]):
    of: Callable[[Session], Iterator[T]]


class Rows:
    """The file's rows, session by session."""

    def __init__(self, contents: Contents, workspace: Workspace) -> None:
        self._contents = contents
        told = contents.conversation
        self.conversation = Conversation(
            id=told["id"], public_id=UUID(told["id"]), workspace=workspace, key=told["key"]
        )
        self.sessions = {number: self._session(record) for number, record in contents.sessions.items()}

    def lanes(self) -> Lanes:
        forks, checkpoints = self._forks(), self._checkpoints()
        to, away = self._moves("new"), self._moves("old")
        return Lanes(
            events=BySession(self._events),
            messages=BySession(self._messages),
            turns=BySession(self._turns),
            checkpoints=BySession(lambda session: iter(checkpoints[session.number])),
            forks=BySession(lambda session: iter(forks[session.number])),
            moves_to=BySession(lambda session: iter(to[str(session.public_id)])),
            moves_from=BySession(lambda session: iter(away[str(session.public_id)])),
        )

    def _session(self, record: Record) -> Session:
        same = (
            "number",
            "parent_seq",
            "base_digest",
            "base_count",
            "last_seq",
            "head_digest",
            "sealed_count",
        )
        parent = self._contents.sessions.get(record["parent"] or 0, {})
        return Session(
            id=record["id"],
            public_id=UUID(record["id"]),
            conversation=self.conversation,
            parent_id=parent.get("id"),
            **{name: record[name] for name in same},
        )

    def _events(self, session: Session) -> Iterator[Row]:
        for event in self._contents.stretch("event", session.number):
            payload = canonical_json(event["payload"])
            yield session.pk, event["seq"], event["kind"], event["message"], payload

    def _messages(self, session: Session) -> Iterator[Message]:
        same = ("role", "client_id", "first_seq", "sealed_seq", "seal_number", "digest")
        for record in self._contents.stretch("message", session.number):
            yield Message(
                id=record["id"],
                public_id=UUID(record["id"]),
                conversation_id=self.conversation.pk,
                session=session,
                content=canonical_json(record["content"]),
                posted_at=moment(record["posted_at"]),
                **{name: record[name] for name in same},
                author=_named(User, record["author"]),
                agent=_named(Agent, record["agent"]),
                supersedes=_named(Message, record["supersedes"]),
                continues=_named(Message, record["continues"]),
            )

    def _turns(self, session: Session) -> Iterator[Turn]:
        for record in self._contents.stretch("turn", session.number):
            yield Turn(
                id=record["id"],
                public_id=UUID(record["id"]),
                session=session,
                state=record["state"],
                reply_id=record["reply"],
            )

    def _checkpoints(self) -> dict[int, list[Checkpoint]]:
        found = defaultdict(list)
        for record in sorted(self._contents.checkpoints, key=lambda record: record["seq"]):
            same = ("seq", "digest", "message_count")
            row = Checkpoint(public_id=UUID(record["id"]), **{name: record[name] for name in same})
            found[record["session"]].append(row)
        return found

    def _forks(self) -> dict[int, list[Session]]:
        found = defaultdict(list)
        for session in sorted(self.sessions.values(), key=lambda session: session.parent_seq or 0):
            parent = self._contents.sessions[session.number]["parent"]
            if parent is not None:
                found[parent].append(session)
        return found

    def _moves(self, end: str) -> dict[str | None, list[Row]]:
        found = defaultdict(list)
        for move in self._contents.moves:
            own, other = (move.new, move.old) if end == "new" else (move.old, move.new)
            found[own].append((own, move.number, move.action, other))
        return found


def _named(model: Callable[..., Any], public_id: str | None) -> Any:
    return None if public_id is None else model(public_id=UUID(public_id))
