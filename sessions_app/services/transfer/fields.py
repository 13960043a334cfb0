"""Kinds of values a record may hold: each gives the value as Python has it, or says what it should have been."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

Kind = Callable[[Any], Any]

DEEPEST = 8
DIGEST = re.compile(r"[0-9a-f]{64}")
LARGEST_COUNT, LARGEST_SEQ = 2**31 - 1, 2**63 - 1


class Unfit(ValueError):
    """What is wrong with a value, as the end of a sentence."""


def text(longest: int | None = None, *, shortest: int = 0) -> Kind:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= (longest or len(value)):
            most = f" of {shortest} to {longest} characters" if longest else ""
            raise Unfit(f"must be a text{most}")
        return value

    return check


def number(most: int = LARGEST_COUNT, *, least: int = 0) -> Kind:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Unfit(f"must be a whole number from {least} to {most}")
        return value

    return check


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit("must be true or false")
    return value


def identity(value: Any) -> UUID:
    """An id in the one way in which we write it."""
    try:
        found = UUID(value)
    except (ValueError, TypeError, AttributeError) as error:
        raise Unfit("must be an id") from error
    if str(found) != value:
        raise Unfit("must be an id in small letters with dashes")
    return found


def moment(value: Any) -> datetime:
    """A time in the one way in which we write it: digests cover that text."""
    try:
        found = datetime.fromisoformat(value)
    except (ValueError, TypeError) as error:
        raise Unfit("must be a time") from error
    if found.utcoffset() != timedelta() or found.isoformat() != value:
        raise Unfit("must be a time in UTC, such as 2026-01-31T12:00:00+00:00")
    return found


def digest(value: Any) -> str:
    if not isinstance(value, str) or not DIGEST.fullmatch(value):
        raise Unfit("must be a digest")
    return value


def one_of(values: Collection[str]) -> Kind:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in values:
            raise Unfit(f"must be one of {', '.join(sorted(values))}")
        return value

    return check


def maybe(kind: Kind) -> Kind:
    return lambda value: None if value is None else kind(value)


def empty_or(kind: Kind) -> Kind:
    return lambda value: "" if value == "" else kind(value)


def either(first: Kind, second: Kind) -> Kind:
    def check(value: Any) -> Any:
        try:
            return first(value)
        except Unfit:
            return second(value)

    return check


def as_it_is(kind: Kind) -> Kind:
    """Checked, and kept as it was written."""

    def check(value: Any) -> Any:
        kind(value)
        return value

    return check


def many(kind: Kind, most: int) -> Kind:
    def check(value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise Unfit(f"must be a list of at most {most}")
        return [kind(item) for item in value]

    return check


def anything(value: Any) -> Any:
    """What nothing but a person reads, as long as it is not nested without end."""
    _measure(value, DEEPEST)
    return value


def group(
    needed: dict[str, Kind], optional: dict[str, Kind] | None = None, *, others: Kind | None = None
) -> Kind:
    """An object with these fields. Without `others` there is nothing else in it."""
    known = {**needed, **(optional or {})}

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Unfit("must be an object")
        for name in needed.keys() - value.keys():
            raise Unfit(f"has no “{name}”")
        return {name: _field(name, known.get(name, others), value[name]) for name in value}

    return check


def _field(name: str, kind: Kind | None, value: Any) -> Any:
    if kind is None:
        raise Unfit(f"has a field “{name[:40]}” that this version does not know")
    try:
        return kind(value)
    except Unfit as unfit:
        raise Unfit(f"“{name[:40]}” {unfit}") from unfit


def _measure(value: Any, depth: int) -> None:
    if depth == 0:
        raise Unfit("is nested too deeply")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        _measure(item, depth - 1)
