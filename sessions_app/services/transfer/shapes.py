"""What each record of an export holds; nothing is taken from a file that does not fit."""

from __future__ import annotations

from sessions_app.models import Action, Answers, CheckpointKind, EventKind, MessageRole, Openness, Trigger
from sessions_app.services.conversations import KEY_LENGTH, PROMPT_LENGTH, TITLE_LENGTH
from sessions_app.services.transfer.fields import (
    LARGEST_SEQ,
    Kind,
    anything,
    as_it_is,
    digest,
    empty_or,
    flag,
    group,
    identity,
    maybe,
    moment,
    number,
    one_of,
    text,
)
from sessions_app.services.transfer.payloads import ACCESS, ENDS, LINK

FORMAT, VERSION = "holdfast-conversation", 1
NAME_LENGTH = 100

_SEQ = number(LARGEST_SEQ, least=1)
_SEQ_OR_NONE_YET = number(LARGEST_SEQ)
_FACTS: dict[str, Kind] = {
    "conversation": identity,
    "key": text(KEY_LENGTH),
    "actor": maybe(identity),
    "actor_name": text(),
    "address": text(),
    "client": text(),
    "reason": text(),
    "old_session": maybe(LINK),
    "new_session": maybe(LINK),
}
_RECORDS: dict[str, dict[str, Kind]] = {
    "header": {"format": text(60), "version": number(), "instance": text(60)},
    "conversation": {
        "id": identity,
        "key": text(KEY_LENGTH, shortest=1),
        "title": text(TITLE_LENGTH, shortest=1),
        "title_is_manual": flag,
        "agent": maybe(identity),
        "system_prompt": text(PROMPT_LENGTH),
        "answers": one_of(Answers.values),
        "openness": one_of(Openness.values),
        "started_by": maybe(identity),
        "started_at": moment,
        "touched_at": moment,
        "archived_at": maybe(moment),
        "archived_by": maybe(identity),
        "deleted_at": maybe(moment),
    },
    "person": {"id": identity, "name": text(NAME_LENGTH, shortest=1)},
    "agent": {
        "id": identity,
        "name": text(60, shortest=1),
        "description": text(),
        "provider": text(40),
        "model": text(200),
    },
    "session": {
        "id": identity,
        "number": number(least=1),
        "parent": maybe(number(least=1)),
        "parent_seq": maybe(_SEQ_OR_NONE_YET),
        "base_digest": empty_or(digest),
        "base_count": number(),
        "last_seq": _SEQ,
        "head_digest": empty_or(digest),
        "sealed_count": number(),
        "started_at": moment,
        "started_by": maybe(identity),
        "archived_at": maybe(moment),
        "archived_reason": text(),
    },
    "checkpoint": {
        "id": identity,
        "session": number(least=1),
        "seq": _SEQ_OR_NONE_YET,
        "digest": empty_or(digest),
        "message_count": number(),
        "name": text(200),
        "kind": one_of(CheckpointKind.values),
        "taken_by": maybe(identity),
        "taken_at": moment,
    },
    "entry": {
        "number": number(least=1),
        "action": one_of(set(Action.values) - {Action.PURGE.value}),
        "trigger": one_of(Trigger.values),
        "idempotency_key": maybe(text(100)),
        "facts": as_it_is(group(_FACTS, {"changed": ACCESS}, others=anything)),
        "at": moment,
        "previous": empty_or(digest),
        "digest": digest,
    },
    "message": {
        "id": identity,
        "session": number(least=1),
        "role": one_of(MessageRole.values),
        "author": maybe(identity),
        "agent": maybe(identity),
        "client_id": maybe(text(100)),
        "supersedes": maybe(identity),
        "continues": maybe(identity),
        "first_seq": _SEQ,
        "sealed_seq": _SEQ,
        "seal_number": number(least=1),
        "content": group({"parts": anything, "marks": anything, "outcome": anything}),
        "digest": digest,
        "posted_at": moment,
    },
    "turn": {
        "id": identity,
        "session": number(least=1),
        "agent": identity,
        "question": identity,
        "reply": maybe(identity),
        "supersedes": maybe(identity),
        "continues": maybe(identity),
        "asked_by": maybe(identity),
        "state": one_of(ENDS),
        "reason": text(),
        "epoch": number(),
        "resumes": number(2**15 - 1),
        "context_digest": empty_or(digest),
        "queued_at": moment,
        "started_at": maybe(moment),
        "ended_at": moment,
        "ended_by": maybe(identity),
    },
    "event": {
        "session": number(least=1),
        "seq": _SEQ,
        "kind": one_of(EventKind.values),
        "message": maybe(identity),
        "payload": anything,
        "at": moment,
    },
    "end": {"records": number(LARGEST_SEQ), "sha256": digest},
}
NAMES = tuple(_RECORDS)  # in the order in which they stand in a file
RECORDS: dict[str, Kind] = {name: group({"record": text(), **fields}) for name, fields in _RECORDS.items()}
