"""Reads what a client sends: a frame is one JSON object with the fields its type needs, or it is refused."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid

LONGEST_ID = 100

Frame = dict[str, Any]


class NotAFrame(Invalid):
    code = "invalid"
    sentence = "A frame is one JSON object with a type; nothing was done."


def parsed(text: str | None) -> Frame:
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        raise NotAFrame from error
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise NotAFrame
    return found


def id_of(frame: Frame) -> str | None:
    """What the answer carries as `re`; None where the frame has no usable id, such as one that cannot be sent."""
    found = frame.get("id")
    is_usable = isinstance(found, str) and len(found) <= LONGEST_ID and clean_text(found) == found
    return found if is_usable else None


def uuid_in(frame: Frame, field: str) -> UUID:
    try:
        return UUID(str(frame[field]))
    except (KeyError, ValueError) as error:
        raise Invalid(f"The field “{field}” must name something by its id; nothing was done.") from error


def text_in(frame: Frame, field: str) -> str:
    found = frame.get(field)
    if not isinstance(found, str):
        raise Invalid(f"The field “{field}” must be a text; nothing was done.")
    return found


def number_in(frame: Frame, field: str) -> int:
    found = frame.get(field)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 2**53:
        raise Invalid(f"The field “{field}” must be a whole number from 0 on; nothing was done.")
    return found
