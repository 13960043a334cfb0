from __future__ import annotations

import pytest

from sessions_app.services.search.passage import MORE, passage
from sessions_app.services.search.query import read_query

FILLING = "water " * 200


def marked(text: str, typed: str) -> str:
    return "".join(
        f"[{segment.text}]" if segment.is_match else segment.text
        for segment in passage(text, read_query(typed))
    )


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("Kelp and rope", "kelp", "[Kelp] and rope"),
        ("the Café is open", "CAFE op", "the [Café] is open"),
        ("the Café is open", "cafe ope", "the [Café] is [open]"),
        ("one two three two three", '"two three"', "one [two three] [two three]"),
        ("one two three", '"two three" three', "one [two three]"),
        ("<b>kelp</b> & co", "kelp", "<b>[kelp]</b> & co"),
        ("日本語です", "本語", "日[本語]です"),
        ("rope", "kelp", "rope"),
        ("", "kelp", ""),
    ],
)
def test_what_was_asked_for_is_marked(text: str, typed: str, expected: str) -> None:
    assert marked(text, typed) == expected


def test_a_long_text_is_shown_around_the_first_match() -> None:
    shown = marked(FILLING + "kelp " + FILLING + "kelp", "kelp")
    assert shown.startswith(MORE + "water ")
    assert shown.endswith(" water" + MORE)
    assert shown.count("[kelp]") == 1
    assert len(shown) < 300


def test_a_long_text_without_blanks_is_cut_all_the_same() -> None:
    assert len(marked("x" * 100_000 + " kelp " + "y" * 100_000, "kelp")) < 300


def test_a_match_in_what_is_not_indexed_is_not_looked_for() -> None:
    assert marked("x " * 200_000 + "kelp", "kelp").startswith("x x")
