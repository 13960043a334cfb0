"""Texts that are hard to store or to show, for every door through which people write."""

from __future__ import annotations

from sessions_app.canonical import clean_text

TEXTS = {
    "NUL": "a\x00b",
    "a lone surrogate": "a\ud800b",
    "a pair and a lone one": "\ud83d\ude00\ud83d",
    "a line separator": "a\u2028b\u2029c",
    "a right-to-left override": "invoice\u202efdp.exe",
    "a thousand combining marks": "e" + "\u0301" * 1_000,
    "500 nested quotes": "> " * 500 + "x",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "control characters": "a\x01\x08\x1b[31m\r\nBcc: x@example.org",
}
# In one word; every door has a limit below it.
MILLION = "w" * 1_000_000


def kept(text: str) -> str:
    return clean_text(text)
