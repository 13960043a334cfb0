"""The part of a text that shows why it was found, in pieces: what matches and what stands between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sessions_app.services.search.query import Query
from sessions_app.services.search.words import cut, words_of

BEFORE = 80
LENGTH = 280
BLANK_WITHIN = 20
MORE = "…"


@dataclass(frozen=True)
class Segment:
    """Plain text, never markup; `is_match` says that it was asked for."""

    text: str
    is_match: bool = False


def passage(text: str, query: Query, *, length: int = LENGTH) -> tuple[Segment, ...]:
    """About `length` characters around the first match, or from the beginning where none is found again."""
    text = cut(text)
    matches = list(query.matches_in(list(words_of(text))))
    start = _start(text, matches[0][0] if matches else 0)
    end = _end(text, start + length)
    return tuple(segment for segment in _segments(text, matches, start, end) if segment.text)


def _segments(text: str, matches: list[tuple[int, int]], start: int, end: int) -> Iterator[Segment]:
    done = start
    yield Segment(MORE if start > 0 else "")
    for first, last in matches:
        if first < done:  # inside a longer phrase that was shown already
            continue
        if last > end:
            break
        yield Segment(text[done:first])
        yield Segment(text[first:last], is_match=True)
        done = last
    yield Segment(text[done:end])
    yield Segment(MORE if end < len(text) else "")


def _start(text: str, match: int) -> int:
    """A little before the match, at the beginning of a word where there is one near."""
    if match <= BEFORE:
        return 0
    start = match - BEFORE
    blank = text.find(" ", start, min(start + BLANK_WITHIN, match))
    return blank + 1 if blank >= 0 else start


def _end(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", end - BLANK_WITHIN, end)
    return blank if blank >= 0 else end
