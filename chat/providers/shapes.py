"""Takes JSON of a vendor apart, and refuses what has not the shape it should have."""

from __future__ import annotations

import json


class Misshapen(Exception):
    """A vendor sent something that is not what its protocol says."""


def parsed(text: str | bytes) -> object:
    """What the JSON says, or None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Misshapen
    return value


def as_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise Misshapen
    return value


def as_text(value: object) -> str:
    if not isinstance(value, str):
        raise Misshapen
    return value


def text_or_nothing(value: object) -> str:
    return as_text(value or "")
