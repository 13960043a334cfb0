"""Says rows as records: in public ids, times as text, and nothing that another installation could not have too.

Each field names the lookup it is read through, so that a page of records is one query.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from sessions_app.canonical import canonical_json
from sessions_app.services.transfer.shapes import NAME_LENGTH

Record = dict[str, Any]
Fields = Mapping[str, str]


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _ids(*names: str) -> dict[str, str]:
    return {name: f"{name}__public_id" for name in names}


CONVERSATION: Fields = {
    "id": "public_id",
    **_same("key", "title", "title_is_manual", "system_prompt", "answers", "openness"),
    **_same("started_at", "touched_at", "archived_at", "deleted_at"),
    **_ids("agent", "started_by", "archived_by"),
}
AGENT: Fields = {"id": "public_id", **_same("name", "description", "provider", "model")}
SESSION: Fields = {
    "id": "public_id",
    "parent": "parent__number",
    **_same("number", "parent_seq", "base_digest", "base_count", "last_seq", "head_digest", "sealed_count"),
    **_same("started_at", "archived_at", "archived_reason"),
    **_ids("started_by"),
}
CHECKPOINT: Fields = {
    "id": "public_id",
    "session": "session__number",
    **_same("seq", "digest", "message_count", "name", "kind", "taken_at"),
    **_ids("taken_by"),
}
ENTRY: Fields = _same("number", "action", "trigger", "idempotency_key", "facts", "at", "previous", "digest")
MESSAGE: Fields = {
    "id": "public_id",
    "session": "session__number",
    **_same("role", "client_id", "first_seq", "sealed_seq", "seal_number", "content", "digest", "posted_at"),
    **_ids("author", "agent", "supersedes", "continues"),
}
TURN: Fields = {
    "id": "public_id",
    "session": "session__number",
    **_same("state", "reason", "epoch", "resumes", "context_digest", "queued_at", "started_at", "ended_at"),
    **_ids("agent", "question", "reply", "supersedes", "continues", "asked_by", "ended_by"),
}
EVENT: Fields = {
    "session": "session__number",
    **_same("seq", "kind", "payload", "at"),
    "message": "message__public_id",
}
# Canonical JSON in a text column: in a record it stands as what it says.
_JSON = {"payload", "content", "facts"}


def said(name: str, fields: Fields, row: Mapping[str, Any]) -> Record:
    return {"record": name, **{field: _plain(field, row[path]) for field, path in fields.items()}}


def line_of(record: Record) -> str:
    """Without its end. The payloads in it were canonical, and are so again."""
    return canonical_json(record)


def person(row: Mapping[str, Any]) -> Record:
    """A name, and nothing one could sign in with."""
    name = row["display_name"] or row["username"]
    return {"record": "person", "id": str(row["public_id"]), "name": name[:NAME_LENGTH]}


def rows_of(rows: QuerySet[Any], fields: Fields, *, by: str, page: int) -> Iterator[dict[str, Any]]:
    """All rows in the order of a column that only grows, one page at a time: nothing is held open between two, so
    that a slow reader keeps neither a cursor nor a transaction."""
    after = -1
    columns = {*fields.values(), by}
    while found := list(rows.filter(**{f"{by}__gt": after}).order_by(by).values(*columns)[:page]):
        yield from found
        after = found[-1][by]


def _plain(field: str, value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return json.loads(value) if field in _JSON else value
