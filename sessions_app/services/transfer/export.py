"""Writes a conversation out, record by record: JSONL, or one JSON document of the same lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sessions_app.models import Message, SessionEvent, Turn
from sessions_app.services.transfer.head import Head
from sessions_app.services.transfer.records import (
    ENTRY,
    EVENT,
    MESSAGE,
    TURN,
    Record,
    line_of,
    rows_of,
    said,
)
from sessions_app.services.transfer.shapes import FORMAT, VERSION

MESSAGES_AT_ONCE, EVENTS_AT_ONCE = 50, 500
DOCUMENT_BEGINS, DOCUMENT_ENDS = '{"records":[\n', "\n]}\n"


def as_jsonl(head: Head) -> Iterator[str]:
    for line in lines(head):
        yield line + "\n"


def as_json(head: Head) -> Iterator[str]:
    begun = DOCUMENT_BEGINS
    for line in lines(head):
        yield begun + line
        begun = ",\n"
    yield DOCUMENT_ENDS


def lines(head: Head) -> Iterator[str]:
    """The last one counts the records between it and the first, and holds their digest."""
    header = {"record": "header", "format": FORMAT, "version": VERSION, "instance": head.instance}
    yield line_of(header)
    digest, count = hashlib.sha256(), 0
    for record in records(head):
        line = line_of(record)
        digest.update(line.encode() + b"\n")
        count += 1
        yield line
    yield line_of({"record": "end", "records": count, "sha256": digest.hexdigest()})


def records(head: Head) -> Iterator[Record]:
    """Everything but the header and the end, in the order in which it can be read in again."""
    yield from head.first
    for row in rows_of(head.entries, ENTRY, by="number", page=EVENTS_AT_ONCE):
        yield said("entry", ENTRY, row)
    for end in head.ends:
        messages = Message.objects.filter(session=end.session_id, first_seq__lte=end.last_seq)
        for row in rows_of(messages, MESSAGE, by="first_seq", page=MESSAGES_AT_ONCE):
            yield said("message", MESSAGE, row)
        turns = Turn.objects.filter(session=end.session_id, pk__lte=end.last_turn)
        for row in rows_of(turns, TURN, by="pk", page=EVENTS_AT_ONCE):
            yield said("turn", TURN, row)
        events = SessionEvent.objects.filter(session=end.session_id, seq__lte=end.last_seq)
        for row in rows_of(events, EVENT, by="seq", page=EVENTS_AT_ONCE):
            yield said("event", EVENT, row)
