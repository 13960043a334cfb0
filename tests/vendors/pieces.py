"""One event as a vendor sends it, and what a reader should have understood when it is whole."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JSON = dict[str, Any]


@dataclass(frozen=True)
class Piece:
    """`said` is the text it carries; `is_word` that it is one of the pieces a rate and a fault count."""

    wire: bytes
    said: str = ""
    is_word: bool = False
    names_reason: bool = False
    is_end_mark: bool = False


def data_event(value: JSON, *, name: str = "", **facts: Any) -> Piece:
    """An event with JSON, its letters as they are: a cut in the middle of one must be possible."""
    head = f"event: {name}\n" if name else ""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Piece(f"{head}data: {text}\n\n".encode("utf-8", "surrogatepass"), **facts)
