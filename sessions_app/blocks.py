"""Cuts Markdown that is still being written into finished top-level blocks, in one pass over its lines.

A block is finished once nothing that follows can change how it reads. The items of a list are blocks of their own
that join the item before. Where it is not certain that a block has ended, it goes on: a block that is too large
reads right, one that is cut too early does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r" *(`{3,}(?=[^`]*$)|~{3,})")
HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
RULE = re.compile(r" {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$")
ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])( +)(?=\S)")


@dataclass(frozen=True)
class Block:
    """`end` counts characters of the whole text. With `joins` it is the next item of the list before it."""

    text: str
    end: int
    joins: bool = False


class Splitter:
    """Is fed the pieces of one text; gives each block once, as soon as it is finished."""

    def __init__(self) -> None:
        self._pieces: list[str] = []  # of the line that has no end yet
        self._lines: list[str] = []  # of the block that is open
        self._is_open = False
        self._end = 0  # where the open block begins
        self._fence = ""
        self._list = ""  # the marker of the list whose item is open
        self._depth = 0  # how far this item's text is indented
        self._joins = False
        self._after_blank = False

    def feed(self, text: str) -> list[Block]:
        """The blocks that this piece finishes."""
        *ended, rest = text.split("\n")
        blocks: list[Block] = []
        for line in ended:
            self._pieces.append(line)
            blocks += self._take("".join(self._pieces))
            self._pieces = []
        if rest:
            self._pieces.append(rest)
        return blocks

    def finish(self) -> list[Block]:
        """The last block: the text ends here."""
        blocks = list(self._take("".join(self._pieces), newline="")) if self._pieces else []
        self._pieces = []
        return [*blocks, *self._cut()]

    def tail(self) -> str:
        """What no finished block holds yet."""
        return "".join([*self._lines, *self._pieces])

    def _take(self, line: str, newline: str = "\n") -> Iterator[Block]:
        if self._fence:
            yield from self._take_fenced(line, newline)
            return
        is_blank = not line.strip()
        if not is_blank and self._begins_block(line):
            yield from self._cut()
        if not is_blank and not self._is_open:
            self._begin(line)
        self._lines.append(line + newline)
        self._after_blank = is_blank
        if fence := self._opens_fence(line):
            self._fence = fence
        elif HEADING.match(line) and not self._list:
            yield from self._cut()

    def _take_fenced(self, line: str, newline: str) -> Iterator[Block]:
        self._lines.append(line + newline)
        stripped = line.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence, self._after_blank = "", False
            if not self._list:
                yield from self._cut()

    def _begins_block(self, line: str) -> bool:
        """Whether this line ends the open block by beginning another."""
        if not self._is_open:
            return False
        indent = len(line) - len(line.lstrip(" "))
        if self._list:
            return indent < self._depth and (self._after_blank or bool(ITEM.match(line)) or interrupts(line))
        if line[:4].isspace() or line.startswith("\t"):
            return False
        return self._after_blank or interrupts(line)

    def _begin(self, line: str) -> None:
        self._is_open = True
        item = None if RULE.match(line) else ITEM.match(line)
        marker = item[2].lstrip("0123456789") if item else ""
        self._joins = bool(marker) and marker == self._list
        self._list = marker
        self._depth = len(item[0]) if item else 0

    def _opens_fence(self, line: str) -> str:
        found = FENCE.match(line)
        is_code = found is not None and not self._list and line.startswith("    ")
        return found[1] if found is not None and not is_code else ""

    def _cut(self) -> Iterator[Block]:
        text, self._lines = "".join(self._lines), []
        self._end += len(text)
        if self._is_open:
            self._is_open = False
            yield Block(text, self._end, self._joins)


def interrupts(line: str) -> bool:
    """What may follow a paragraph without an empty line between them."""
    if HEADING.match(line) or FENCE.match(line):
        return True
    item = ITEM.match(line)
    if RULE.match(line):
        # A line of dashes below a paragraph makes it a heading.
        return item is not None or not line.lstrip().startswith("-")
    return item is not None and (not item[2][0].isdigit() or item[2][:-1] == "1")
