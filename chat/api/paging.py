"""Pages through rows by a cursor: what is added or moved meanwhile makes no row appear twice or be left out."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from rest_framework import serializers

from sessions_app.errors import Invalid

M = TypeVar("M", bound=Model)

PAGE = 50
LARGEST_PAGE = 200


class PageAsked(serializers.Serializer[Any]):
    """What every list may be asked with."""

    cursor = serializers.CharField(required=False, help_text="the `next` of the page before")
    limit = serializers.IntegerField(
        required=False, default=PAGE, min_value=1, max_value=LARGEST_PAGE, help_text="how many at most"
    )


def paged(
    rows: QuerySet[M], *, by: tuple[str, str], shape: type[serializers.Serializer[Any]], page: dict[str, Any]
) -> dict[str, Any]:
    """One page: `items`, and the cursor of the `next` one or null. `by` is a field and the key that breaks
    ties; with a minus in front of both the greatest comes first."""
    limit = page["limit"]
    if "cursor" in page:
        rows = rows.filter(_beyond(by, *_position(page["cursor"])))
    found = list(rows.order_by(*by)[: limit + 1])
    more = len(found) > limit
    return {
        "items": shape(found[:limit], many=True).data,
        "next": _cursor(by, found[limit - 1]) if more else None,
    }


def _beyond(by: tuple[str, str], value: Any, tie: Any) -> Q:
    field, key = (name.lstrip("-") for name in by)
    way = "lt" if by[0].startswith("-") else "gt"
    return Q(**{f"{field}__{way}": value}) | Q(**{field: value, f"{key}__{way}": tie})


def _cursor(by: tuple[str, str], row: Model) -> str:
    values = [_written(_reached(row, name.lstrip("-"))) for name in by]
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def _reached(row: Any, name: str) -> Any:
    for step in name.split("__"):
        row = getattr(row, step)
    return row


def _written(value: Any) -> Any:
    return {"at": value.isoformat()} if isinstance(value, datetime) else value


def _position(cursor: str) -> tuple[Any, Any]:
    try:
        value, tie = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True))
        value = datetime.fromisoformat(value["at"]) if isinstance(value, dict) else value
    except (binascii.Error, ValueError, TypeError, KeyError, RecursionError) as error:
        raise _no_such_page() from error
    if not (_is_usable(value) and _is_usable(tie)):
        raise _no_such_page()
    return value, tie


def _is_usable(value: Any) -> bool:
    """What a database can compare with; the cursor may be anybody's invention."""
    match value:
        case bool():
            return False
        case int():
            return abs(value) < 2**63
        case str():
            return value.isprintable()
        case datetime():
            return value.tzinfo is not None and MINYEAR < value.year < MAXYEAR
    return False


def _no_such_page() -> Invalid:
    return Invalid("“cursor” is not one that this list gave; begin with its first page.")
