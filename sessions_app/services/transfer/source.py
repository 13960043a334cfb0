"""Reads an export's lines from a file, from anywhere in it, and never more than one line at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO

from sessions_app.errors import ImportRefused
from sessions_app.services.transfer.export import DOCUMENT_BEGINS

LONGEST_LINE = 16 * 1024 * 1024
BLOCK = 256 * 1024
DOCUMENT_END = b"]}"
TOO_LONG = f"A line of the file is longer than {LONGEST_LINE // 1024**2} MiB; nothing was imported."
TORN = "The file is torn: its last line is not whole; nothing was imported."


class Source:
    """The records of a file, whether they stand there as lines or in one document. Each reading has a place of
    its own in the file, so that several can go on side by side."""

    def __init__(self, file: IO[bytes]) -> None:
        self._descriptor = file.fileno()
        begins = DOCUMENT_BEGINS.encode()
        self._is_document = os.pread(self._descriptor, len(begins), 0) == begins
        self.begin = len(begins) if self._is_document else 0

    def lines(self, begin: int) -> Iterator[tuple[int, bytes]]:
        """(where it begins, the record) of every line from there on; a document's end is no record."""
        for at, line in self._raw(begin):
            if not self._is_document:
                yield at, line
            elif line != DOCUMENT_END:
                yield at, line.removesuffix(b",")

    def _raw(self, at: int) -> Iterator[tuple[int, bytes]]:
        waiting: list[bytes] = []
        for block in self._blocks(at):
            *ends, begun = block.split(b"\n")
            for end in ends:
                line = b"".join([*waiting, end])
                yield at, line
                at += len(line) + 1
                waiting = []
            waiting.append(begun)
            if sum(map(len, waiting)) > LONGEST_LINE:
                raise ImportRefused(TOO_LONG)
        if any(waiting):
            raise ImportRefused(TORN)

    def _blocks(self, place: int) -> Iterator[bytes]:
        while block := os.pread(self._descriptor, BLOCK, place):
            yield block
            place += len(block)
