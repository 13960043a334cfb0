"""Joins characters that a vendor has cut into two halves over two pieces of text."""

from __future__ import annotations


class PieceJoiner:
    """Some vendors cut text between the two surrogates of one character; each half alone means nothing."""

    def __init__(self) -> None:
        self._half = ""

    def join(self, piece: str) -> str:
        """The piece, whole characters only; a half at its end waits for the next one."""
        if piece.isascii() and not self._half:
            return piece
        piece = self._half + piece
        self._half = piece[-1] if "\ud800" <= piece[-1:] <= "\udbff" else ""
        return whole(piece[:-1] if self._half else piece)

    def rest(self) -> str:
        """What still waits at the end of the answer, visibly replaced."""
        return whole(self._half)


def whole(text: str) -> str:
    """The text with its pairs of surrogates joined and lone ones replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
