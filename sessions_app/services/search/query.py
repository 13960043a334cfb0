"""Reads what people type into a search: words that must all be there, and phrases in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sessions_app.errors import Invalid
from sessions_app.services.search.words import Word, words_of

LONGEST = 1_000
MOST_PHRASES = 32
SHORTEST_PREFIX = 3
_PIECE = re.compile(r'["“„]([^"“”„]*)["”“]|(\S+)')


@dataclass(frozen=True)
class Phrase:
    """Words that follow each other; with `is_prefix` the last one need only begin like this."""

    words: tuple[str, ...]
    is_prefix: bool = False

    def is_at(self, words: Sequence[Word], place: int) -> bool:
        there = words[place : place + len(self.words)]
        if len(there) < len(self.words):
            return False
        *first, last = (word.said for word in there)
        is_last = last.startswith(self.words[-1]) if self.is_prefix else last == self.words[-1]
        return is_last and tuple(first) == self.words[:-1]


@dataclass(frozen=True)
class Query:
    """Every phrase must be in a message for it to be found. Nothing that is typed is an operator."""

    phrases: tuple[Phrase, ...]

    def matches_in(self, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Where in the text something stands that was asked for, from left to right."""
        for place, word in enumerate(words):
            lengths = [len(phrase.words) for phrase in self.phrases if phrase.is_at(words, place)]
            if lengths:
                yield word.start, words[place + max(lengths) - 1].end


def read_query(typed: str) -> Query:
    """What is no word, such as a lone dash, is passed over; a query that is too long is refused."""
    if len(typed) > LONGEST:
        raise Invalid(f"A search has at most {LONGEST:,} characters.")
    phrases = tuple(dict.fromkeys(_phrases(typed)))
    if len(phrases) > MOST_PHRASES:
        raise Invalid(f"A search has at most {MOST_PHRASES} words.")
    return Query(phrases)


def _phrases(typed: str) -> Iterator[Phrase]:
    for quoted, bare in _PIECE.findall(typed):
        words = tuple(word.said for word in words_of(quoted or bare))
        if words:
            yield Phrase(words, is_prefix=not quoted and len(words[-1]) >= SHORTEST_PREFIX)
