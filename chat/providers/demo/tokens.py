"""The demo agent's tokens: a word with the white space before it, so that joining them gives the text again."""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(r"\s*\S+|\s+$")


def split_into_tokens(text: str) -> Iterator[str]:
    """Pieces that together are exactly the text."""
    return (match[0] for match in TOKEN.finditer(text))


def first_tokens(text: str, count: int) -> str:
    tokens = split_into_tokens(text)
    return "".join(token for token, _ in zip(tokens, range(count), strict=False))


def numbered(word: str, first: int, last: int) -> str:
    """`word3 word4 word5`; one that goes on after an earlier count begins with its space."""
    counted = " ".join(f"{word}{number}" for number in range(first, last + 1))
    return f" {counted}" if counted and first > 1 else counted
