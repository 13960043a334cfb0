"""How long a vendor is waited for, how often it is asked, and how much of it is held."""

from __future__ import annotations

from dataclasses import dataclass

CONNECT_SECONDS = 10.0
HEADERS_SECONDS = 300.0  # a machine without a fast card reads a long prompt before it begins its answer
FIRST_TOKEN_SECONDS = 300.0
SILENCE_SECONDS = 120.0
FINISH_SECONDS = 5.0
REFUSAL_SECONDS = 5.0
MOST_TRIES = 3
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 20.0

BUFFER_BYTES = 64 * 1024
REFUSAL_BYTES = 64 * 1024


@dataclass(frozen=True)
class Limits:
    """`finish_seconds` is for what may follow once the vendor has said why it stopped: usage, and the end.

    A vendor that asks for a longer pause than `longest_pause_seconds` is not asked again.
    """

    connect_seconds: float = CONNECT_SECONDS
    headers_seconds: float = HEADERS_SECONDS
    first_token_seconds: float = FIRST_TOKEN_SECONDS
    silence_seconds: float = SILENCE_SECONDS
    finish_seconds: float = FINISH_SECONDS
    most_tries: int = MOST_TRIES
    first_pause_seconds: float = FIRST_PAUSE_SECONDS
    longest_pause_seconds: float = LONGEST_PAUSE_SECONDS
