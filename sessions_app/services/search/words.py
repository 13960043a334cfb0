"""What counts as a word and when two are the same: one rule for the index, the query and the highlighting.

Both databases are given words that are cut already, so that they find the same. Capitals, accents and the width of
letters make no difference. Scripts that are written without blanks, and emoji, count one word a character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

TEXT_BYTES = 200 * 1024
LONGEST_WORD = 64

# Thai, Lao, Tibetan, Myanmar, Khmer; kana, CJK; symbols and emoji.
_ALONE = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U0001f000-\U0001faff\U00020000-\U0003ffff"
)
_ACCENTS = "\u0300-\u036f"
# Vowel signs of the Indian scripts are no letters for Python, but no word ends at them.
_MARKS = f"{_ACCENTS}\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(f"[{_ALONE}]|(?:[^\\W{_ALONE}]|[{_MARKS}])+")
_ACCENT = re.compile(f"[{_ACCENTS}]")


class Word(NamedTuple):
    """A word as it is compared, and where it stands in the text."""

    said: str
    start: int
    end: int


def words_of(text: str) -> Iterator[Word]:
    for found in _WORD.finditer(text):
        said = _compared(found.group())
        if said:
            yield Word(said, found.start(), found.end())


def cut(text: str) -> str:
    """As much of a text as is indexed."""
    return text.encode()[:TEXT_BYTES].decode(errors="ignore") if len(text) > TEXT_BYTES // 4 else text


def _compared(word: str) -> str:
    word = word[:LONGEST_WORD]
    if word.isascii():
        return word.lower()
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", word.casefold()))
    # What stands for several signs, such as a number in brackets, leaves only those that words are made of.
    return "".join(_WORD.findall(unicodedata.normalize("NFC", bare)))
