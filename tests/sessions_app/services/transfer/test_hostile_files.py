"""Files that are torn, changed, or made up: refused in words, without a row written and without much memory."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from sessions_app.canonical import canonical_json
from sessions_app.errors import ImportRefused
from sessions_app.models import Conversation, Message, SessionEvent, User, Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import record_compaction
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transfer.forms import Form
from tests.sessions_app.conftest import Exchange
from tests.sessions_app.services.transfer.acting import exported, imported, planned

Record = dict[str, Any]
Tamper = Callable[[list[Record]], None]


@pytest.fixture
def content(conversation: Conversation, alice: User, exchange: Exchange) -> bytes:
    exchange("one", "first")
    take_checkpoint(conversation, by=alice, name="halfway")
    record_compaction(conversation.active_session, summary="so far", by=alice)
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=COMMAND)
    exchange("two", "second")
    return exported(conversation)


def refused(content: bytes, workspace: Workspace) -> str:
    """What is said of it, the same beforehand and when it is tried."""
    before = (Conversation.objects.count(), Message.objects.count(), SessionEvent.objects.count())
    with pytest.raises(ImportRefused) as planning:
        planned(content, workspace)
    with pytest.raises(ImportRefused) as importing:
        imported(content, workspace)
    assert (Conversation.objects.count(), Message.objects.count(), SessionEvent.objects.count()) == before
    says = str(importing.value)
    assert str(planning.value) == says
    assert says.endswith("nothing was imported.")
    return says


def sealed_anew(records: list[Record]) -> bytes:
    """The file as somebody would write it who knows how the last line is made."""
    first, *rest = (
        canonical_json(record).encode() + b"\n" for record in records if record["record"] != "end"
    )
    digest = hashlib.sha256(b"".join(rest)).hexdigest()
    end = canonical_json({"record": "end", "records": len(rest), "sha256": digest}).encode() + b"\n"
    return b"".join([first, *rest, end])


def one(records: list[Record], name: str, **wanted: Any) -> Record:
    return next(
        record
        for record in records
        if record["record"] == name and all(record[field] == value for field, value in wanted.items())
    )


def changed(name: str, field: str, value: Any, **wanted: Any) -> Tamper:
    def tamper(records: list[Record]) -> None:
        *path, last = field.split(".")
        found = one(records, name, **wanted)
        for step in path:
            found = found[step]
        found[last] = value

    return tamper


def left_out(name: str, **wanted: Any) -> Tamper:
    return lambda records: records.remove(one(records, name, **wanted))


def twice(name: str) -> Tamper:
    def tamper(records: list[Record]) -> None:
        found = one(records, name)
        records.insert(records.index(found), dict(found))

    return tamper


def put_last(name: str) -> Tamper:
    return lambda records: records.append(records.pop(records.index(one(records, name))))


def text_and_content_changed(records: list[Record]) -> None:
    """Consistent in itself, but for the digests."""
    one(records, "event", kind="text")["payload"]["text"] = "forged"
    one(records, "message", role="agent")["content"]["parts"][0]["text"] = "forged"


NOBODY = str(uuid.uuid4())
DEEP: Any = json.loads("[" * 100 + "]" * 100)


def compaction_without_summary(records: list[Record]) -> None:
    one(records, "checkpoint", kind="manual")["kind"] = "compaction"


TAMPERINGS: dict[str, tuple[Tamper, str]] = {
    "a changed text": (changed("event", "payload.text", "forged", kind="text"), "not what its events make"),
    "a changed text everywhere": (text_and_content_changed, "digest"),
    "a changed seal": (changed("message", "digest", "0" * 64), "digest"),
    "another author": (changed("message", "author", NOBODY), "names somebody who is not in it"),
    "a missing event": (left_out("event", kind="text"), "is missing"),
    "a missing message": (left_out("message"), "that is not in its history"),
    "a missing turn": (left_out("turn"), "a turn that does not exist"),
    "a missing session": (left_out("session"), "not numbered 1, 2, 3"),
    "a missing entry": (left_out("entry"), "does not stand"),
    "a missing person": (left_out("person"), "names somebody who is not in it"),
    "a missing conversation": (left_out("conversation"), "no conversation"),
    "a second conversation": (twice("conversation"), "none belongs there"),
    "a second message of the same id": (twice("message"), "gives a second message the id"),
    "a second checkpoint of the same id": (twice("checkpoint"), "gives a second checkpoint the id"),
    "a second turn of the same id": (twice("turn"), "gives a second turn the id"),
    "a message after its events": (put_last("message"), "none belongs there"),
    "another version": (changed("header", "version", 2), "another format"),
    "another format": (changed("header", "format", "somebody-else"), "another format"),
    "a live turn": (changed("turn", "state", "running"), "must be one of"),
    "a purge": (changed("entry", "action", "purge"), "must be one of"),
    "a changed reason": (changed("entry", "facts.reason", "another"), "does not follow"),
    "a pointer elsewhere": (changed("entry", "facts.new_session.id", NOBODY), "where it does not stand"),
    "an active session too many": (changed("session", "archived_at", None), "was not archived as it says"),
    "a parent that is not there": (changed("session", "parent", 7), "is not in it"),
    "a compaction without summary": (compaction_without_summary, "no summary behind it"),
    "a field we do not know": (changed("event", "payload.html", "<b>", kind="text"), "does not know"),
    "a number for a text": (changed("event", "payload.text", 5, kind="text"), "must be a text"),
    "a change of access that says nothing": (changed("entry", "facts.changed", {}), "has no “"),
    "a fact in a message": (changed("event", "message", None, kind="text"), "without its message"),
    "a key that is none": (changed("conversation", "key", "Team General"), "Its key is none"),
    "deep nesting": (changed("message", "content.marks", DEEP), "nested too deeply"),
    "a seq too large": (changed("event", "seq", 2**63), "whole number"),
    "an id in capitals": (changed("turn", "id", "A" * 36), "must be an id"),
    "a time elsewhere": (changed("event", "at", "2026-01-31T12:00:00+02:00"), "must be a time"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_was_tampered_with_is_refused(name: str, content: bytes, team: Workspace) -> None:
    records = [json.loads(line) for line in content.splitlines()]
    assert sealed_anew(records) == content
    tamper, words = TAMPERINGS[name]
    tamper(records)
    assert words in refused(sealed_anew(records), team)


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def tamper(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return tamper


def lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


NOT_OURS = "not as Holdfast writes it"
FORGED = b'"payload":{"text":"first"}'
FILES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda found: b"", "empty"),
    "no last line": (lambda found: found[: found.rindex(b'{"record":"end"')], "torn"),
    "half of the last line": (lambda found: found[:-20], "torn"),
    "a line left out": (lambda found: found.replace(lines(found)[-3], b""), "not as it was written"),
    "a changed word": (replaced(b'"text":"first"', b'"text":"worst"'), "not as it was written"),
    "a line behind the end": (lambda found: found + lines(found)[-1], "none belongs there"),
    "half a character": (replaced(FORGED, b'"payload":{"text":"\\ud800"}'), NOT_OURS),
    "NUL": (replaced(FORGED, b'"payload":{"text":"\\u0000"}'), NOT_OURS),
    "a name twice": (replaced(FORGED, b'"payload":{"text":"a","text":"first"}'), NOT_OURS),
    "no number": (replaced(FORGED, b'"payload":{"text":NaN}'), NOT_OURS),
    "bytes that are no text": (replaced(FORGED, b'"payload":{"text":"\xff"}'), NOT_OURS),
    "blanks": (replaced(FORGED, b'"payload": {"text":"first"}'), NOT_OURS),
    "nesting without end": (replaced(FORGED, b'"payload":' + b"[" * 200_000 + b"]" * 200_000), NOT_OURS),
    "a list": (lambda found: b"[]\n", NOT_OURS),
    "a picture": (lambda found: b"\x89PNG\r\n\x1a\n", NOT_OURS),
    "a document written anew": (lambda found: b'{\n  "records": []\n}\n', NOT_OURS),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_export_is_refused(name: str, content: bytes, team: Workspace) -> None:
    tamper, words = FILES[name]
    assert words in refused(tamper(content), team)


def test_an_export_to_read_is_not_one_to_import(
    conversation: Conversation, content: bytes, team: Workspace
) -> None:
    assert NOT_OURS in refused(exported(conversation, form=Form.MARKDOWN), team)


def test_a_line_without_end_is_not_read_to_its_end(content: bytes, team: Workspace) -> None:
    huge = lines(content)[0] + b"x" * 64 * 1024 * 1024
    tracemalloc.start()
    try:
        assert "longer than 16 MiB" in refused(huge, team)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 48 * 1024 * 1024
