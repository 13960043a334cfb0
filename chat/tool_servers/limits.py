"""How long a tool server is waited for, and how much of it is read and kept."""

from __future__ import annotations

from dataclasses import dataclass

MOST_TOOLS = 64
MOST_PAGES = 20
NAME_CHARACTERS = 200
DESCRIPTION_CHARACTERS = 2_000
SCHEMA_CHARACTERS = 16_000
SCHEMA_DEPTH = 24


@dataclass(frozen=True)
class Limits:
    """`goodbye_seconds` is for what is only polite: to say that a call is no longer wanted, and that we go.
    `answer_bytes` counts everything that is sent for one look or one call."""

    connect_seconds: float = 10.0
    look_seconds: float = 20.0
    call_seconds: float = 60.0
    goodbye_seconds: float = 2.0
    answer_bytes: int = 4 * 1024 * 1024


USUAL = Limits()
