from __future__ import annotations

import pytest

from sessions_app.errors import Invalid
from sessions_app.services.search.query import LONGEST, MOST_PHRASES, Phrase, read_query


@pytest.mark.parametrize(
    ("typed", "phrases"),
    [
        ("kelp", [Phrase(("kelp",), is_prefix=True)]),
        ("of kelp", [Phrase(("of",)), Phrase(("kelp",), is_prefix=True)]),
        ('"Kelp prices"', [Phrase(("kelp", "prices"))]),
        ("“kelp prices” now", [Phrase(("kelp", "prices")), Phrase(("now",), is_prefix=True)]),
        ("notes.txt", [Phrase(("notes", "txt"), is_prefix=True)]),
        ("日本", [Phrase(("日", "本"))]),
        ("kelp KELP", [Phrase(("kelp",), is_prefix=True)]),
        ('"unclosed', [Phrase(("unclosed",), is_prefix=True)]),
        ("NOT kelp*", [Phrase(("not",), is_prefix=True), Phrase(("kelp",), is_prefix=True)]),
        ('"" * - () : ^ \x00', []),
        ("", []),
    ],
)
def test_nothing_that_is_typed_is_an_operator(typed: str, phrases: list[Phrase]) -> None:
    assert list(read_query(typed).phrases) == phrases


def test_a_query_that_is_too_long_is_refused_with_a_sentence() -> None:
    with pytest.raises(Invalid, match="at most 1,000 characters"):
        read_query("x" * (LONGEST + 1))
    with pytest.raises(Invalid, match="at most 32 words"):
        read_query(" ".join(map(str, range(MOST_PHRASES + 1))))
