"""Prints tables for people: a title, a line of headings, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], *notes: str) -> None:
    """The first column is text; the others line up at their right ends."""
    widths = [max(len(row[column]) for row in [headings, *rows]) for column in range(len(headings))]
    print(f"\n{title}\n")
    for row in (headings, ["─" * width for width in widths], *rows):
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]
        print("  " + "  ".join(cells).rstrip())
    for note in notes:
        print(f"  {note}")
    print(flush=True)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
