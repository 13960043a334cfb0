"""Examples for the API's description, by the names of shapes; a test holds them against the schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("examples.json")


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def example_of(shape: type) -> Any:
    """An example of a shape, or a page with one of it."""
    if of := getattr(shape, "of", None):
        return {"items": [example_of(of)], "next": None}
    return _all()[shape.__name__]
