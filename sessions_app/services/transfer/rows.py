"""Writes the long stretches of a checked file: messages, turns and events, in batches that stay small."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from sessions_app.canonical import canonical_json
from sessions_app.models import Conversation, Message, Session, SessionEvent, Turn
from sessions_app.services.transfer.fields import moment
from sessions_app.services.transfer.people import Found
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.scan import Contents

T = TypeVar("T")
MOST_ROWS, MOST_CHARACTERS = 500, 4_000_000
LINKS = ("supersedes", "continues")


@dataclass(frozen=True)
class Names:
    """Our own ids of whom the file names."""

    people: Found
    agents: Found

    def person(self, public_id: str | None) -> int | None:
        return None if public_id is None else self.people[public_id]

    def agent(self, public_id: str | None) -> int | None:
        return None if public_id is None else self.agents[public_id]


class Stretches:
    """Those of one session at a time, in an order in which everything that is named is there already."""

    def __init__(self, contents: Contents, conversation: Conversation, names: Names) -> None:
        self._contents, self._conversation, self._names = contents, conversation, names

    def write(self, session: Session) -> None:
        """The guards see each event come, and then the session's end follow them."""
        number = session.number
        for messages in batches(self._contents.stretch("message", number), _is_linked):
            self._write_messages(session, messages)
        for turns in batches(self._contents.stretch("turn", number)):
            self._write_turns(session, turns)
        for events in batches(self._contents.stretch("event", number)):
            self._write_events(session, events)
        told = self._contents.sessions[number]
        ends = {name: told[name] for name in ("last_seq", "head_digest", "sealed_count")}
        Session.objects.filter(pk=session.pk).update(**ends)

    def _write_messages(self, session: Session, records: list[Record]) -> None:
        named = _messages(record[link] for record in records for link in LINKS)
        same = ("role", "client_id", "first_seq", "sealed_seq", "seal_number", "digest")
        Message.objects.bulk_create(
            Message(
                public_id=record["id"],
                conversation=self._conversation,
                session=session,
                author_id=self._names.person(record["author"]),
                agent_id=self._names.agent(record["agent"]),
                content=canonical_json(record["content"]),
                posted_at=moment(record["posted_at"]),
                **{name: record[name] for name in same},
                **{f"{link}_id": named.get(record[link]) for link in LINKS},
            )
            for record in records
        )

    def _write_turns(self, session: Session, records: list[Record]) -> None:
        links = ("question", "reply", *LINKS)
        named = _messages(record[link] for record in records for link in links)
        same = ("state", "reason", "epoch", "resumes", "context_digest")
        times = ("queued_at", "started_at", "ended_at")
        Turn.objects.bulk_create(
            Turn(
                public_id=record["id"],
                session=session,
                agent_id=self._names.agents[record["agent"]],
                asked_by_id=self._names.person(record["asked_by"]),
                ended_by_id=self._names.person(record["ended_by"]),
                **{name: record[name] for name in same},
                **{name: record[name] and moment(record[name]) for name in times},
                **{f"{link}_id": named.get(record[link]) for link in links},
            )
            for record in records
        )

    def _write_events(self, session: Session, records: list[Record]) -> None:
        named = _messages(record["message"] for record in records)
        SessionEvent.objects.bulk_create(
            SessionEvent(
                session=session,
                seq=record["seq"],
                kind=record["kind"],
                message_id=named.get(record["message"]),
                payload=canonical_json(record["payload"]),
                at=moment(record["at"]),
            )
            for record in records
        )


def batches(
    records: Iterable[Record], begins_anew: Callable[[Record], bool] = lambda record: False
) -> Iterator[list[Record]]:
    """As many as fit into little memory; one that points at what may be in the same batch begins another."""
    batch: list[Record] = []
    size = 0
    for record in records:
        if batch and (len(batch) >= MOST_ROWS or size >= MOST_CHARACTERS or begins_anew(record)):
            yield batch
            batch, size = [], 0
        batch.append(record)
        size += _size(record)
    if batch:
        yield batch


def _is_linked(record: Record) -> bool:
    return any(record[link] is not None for link in LINKS)


def _size(value: Any) -> int:
    """Roughly, in characters."""
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 20 + sum(map(_size, inner))


def _messages(ids: Iterable[str | None]) -> dict[str | None, int]:
    """Our own ids by public ones."""
    wanted = {public_id for public_id in ids if public_id is not None}
    if not wanted:
        return {}
    rows = Message.objects.filter(public_id__in=wanted).values_list("public_id", "pk")
    return {str(public_id): pk for public_id, pk in rows}
