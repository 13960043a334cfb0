from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.services.search.words import LONGEST_WORD, TEXT_BYTES, cut, words_of


def said(text: str) -> list[str]:
    return [word.said for word in words_of(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Kelp, and KELP again!", ["kelp", "and", "kelp", "again"]),
        ("snake_case foo.bar it's", ["snake_case", "foo", "bar", "it", "s"]),
        ("Café Cafe\u0301 CAFÉ", ["cafe", "cafe", "cafe"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ＡＢＣ１２", ["abc12"]),  # noqa: RUF001 - full width
        ("日本語", ["日", "本", "語"]),
        ("한국어 검색", ["한국어", "검색"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Привет Ёлка", ["привет", "елка"]),
        ("🌿 kelp🌿", ["🌿", "kelp", "🌿"]),
        ("⑴ ½", ["1", "12"]),
        ("--- \x00 \t", []),
        ("x" * 1_000, ["x" * LONGEST_WORD]),
    ],
)
def test_words_are_cut_and_folded(text: str, words: list[str]) -> None:
    assert said(text) == words


@given(st.text(max_size=200))
def test_any_text_gives_words_that_stand_where_they_say_and_need_no_escape(text: str) -> None:
    end = 0
    for word in words_of(text):
        assert word.said
        assert not set(word.said) & set("'\"\\ *:#()&|!<>-")
        assert end <= word.start < word.end <= len(text)
        end = word.end


def test_a_long_text_is_cut_at_a_character() -> None:
    assert cut("short") == "short"
    assert len(cut("🌿" * TEXT_BYTES).encode()) == TEXT_BYTES
    assert cut("é" + "x" * TEXT_BYTES).startswith("éx")
    assert len(cut("x" + "é" * TEXT_BYTES).encode()) == TEXT_BYTES - 1
