"""Pieces of text are joined where a character was cut into halves."""

import pytest

from chat.providers.pieces import PieceJoiner


@pytest.mark.parametrize(
    ("pieces", "joined"),
    [
        (["plain", "text"], ["plain", "text"]),
        (["hält", "🙂"], ["hält", "🙂"]),
        (["a\ud83d", "\ude42b"], ["a", "🙂b"]),
        (["\ud83d", "\ude42"], ["", "🙂"]),
        (["\ud83d", "x"], ["", "\ufffdx"]),
        (["\ude42x"], ["\ufffdx"]),
        (["a\ud83d\ude42b"], ["a🙂b"]),
        (["\ud83d", "", "\ude42"], ["", "", "🙂"]),
    ],
)
def test_halves_are_joined(pieces: list[str], joined: list[str]) -> None:
    joiner = PieceJoiner()
    assert [joiner.join(piece) for piece in pieces] == joined
    assert joiner.rest() == ""


def test_a_half_that_stays_alone_is_replaced() -> None:
    joiner = PieceJoiner()
    assert joiner.join("a\ud83d") == "a"
    assert joiner.rest() == "\ufffd"
