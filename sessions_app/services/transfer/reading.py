"""Takes one line of an export for what it is: canonical, of a known shape, and by its own name."""

from __future__ import annotations

import json
from typing import Any

from sessions_app.canonical import canonical_json
from sessions_app.errors import ImportRefused
from sessions_app.services.transfer.fields import Unfit
from sessions_app.services.transfer.payloads import check_event
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.shapes import RECORDS

NOT_OURS = "is not as Holdfast writes it: JSON with sorted fields, no blanks, and text that can be stored"


def parsed(line: bytes) -> Record:
    """What was checked once is only read again."""
    record: Record = json.loads(line)
    return record


def checked(line: bytes, number: int) -> Record:
    """The record as it is written, refused by the number of its line."""
    try:
        record = _canonical(line)
        kind = RECORDS.get(str(record.get("record")))
        if kind is None:
            raise Unfit("is of no kind that this version knows")
        kind(record)
        if record["record"] == "event":
            check_event(record)
    except Unfit as unfit:
        raise ImportRefused(f"Line {number} of the file {unfit}; nothing was imported.") from unfit
    return record


def _canonical(line: bytes) -> Record:
    """Whoever writes a line otherwise than we do may mean something by it: a name twice, a half of a character."""
    try:
        text = line.decode()
        value: Any = json.loads(text)
        again = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        is_canonical = again == text and ("\\u0000" not in text or canonical_json(value) == text)
    except (ValueError, RecursionError) as error:
        raise Unfit(NOT_OURS) from error
    if not is_canonical or not isinstance(value, dict):
        raise Unfit(NOT_OURS)
    return value
