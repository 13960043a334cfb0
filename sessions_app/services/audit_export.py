"""Writes audit entries out, one line each: CSV for a spreadsheet, JSONL for a program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from sessions_app.canonical import canonical_json
from sessions_app.models import AuditEntry

# A spreadsheet runs a cell that begins with one of these.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
COLUMNS = (
    "at",
    "action",
    "trigger",
    "key",
    "actor_name",
    "reason",
    "old_session",
    "old_number",
    "old_messages",
    "new_session",
    "new_number",
    "new_messages",
    "first_message",
    "address",
    "client",
    "conversation",
    "workspace",
    "actor",
    "chain",
    "number",
    "idempotency_key",
    "previous",
    "digest",
    "facts",
)
CHUNK = 2000


def entry_facts(entry: AuditEntry) -> dict[str, Any]:
    """All that an entry says, by name and in public ids; `facts` is what its digest covers."""
    told = entry.told
    old, new = told.get("old_session") or {}, told.get("new_session") or {}
    workspace = told.get("workspace")
    return {
        "at": entry.at.isoformat(),
        "action": entry.action,
        "trigger": entry.trigger,
        **{name: told.get(name) for name in ("key", "actor_name", "reason")},
        "old_session": old.get("id"),
        "old_number": old.get("number"),
        "old_messages": old.get("messages"),
        "new_session": new.get("id"),
        "new_number": new.get("number"),
        "new_messages": new.get("messages"),
        **{name: told.get(name) for name in ("first_message", "address", "client")},
        **{name: told.get(name) for name in ("conversation", "actor")},
        "workspace": workspace.get("id") if isinstance(workspace, dict) else workspace,
        "chain": entry.chain,
        "number": entry.number,
        "idempotency_key": entry.idempotency_key,
        "previous": entry.previous,
        "digest": entry.digest,
        "facts": told,
    }


def as_jsonl(entries: Iterable[AuditEntry]) -> Iterator[str]:
    for entry in entries:
        yield canonical_json(entry_facts(entry)) + "\n"


def as_csv(entries: Iterable[AuditEntry]) -> Iterator[str]:
    """Cells that a spreadsheet would take for a formula begin with an apostrophe."""
    yield _line(COLUMNS)
    for entry in entries:
        facts = entry_facts(entry)
        facts["facts"] = entry.facts
        yield _line([_cell(facts[name]) for name in COLUMNS])


def _line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
