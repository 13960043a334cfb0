"""Reads server-sent events out of bytes, however they are cut, and holds little of them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

EVENT_BYTES = 1024 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
FIELDS_WITHOUT_TEXT = (b"id", b"retry")


class ServerSentEvent(NamedTuple):
    name: str
    data: str


class Trouble(StrEnum):
    TOO_LONG = "too long"
    UNREADABLE = "unreadable"


class EventReader:
    """Takes bytes as they come and gives the events that are whole.

    Once `trouble` is set nothing more is read; the events before it were given, so their text is kept. A line
    that is not of the format is trouble and is not passed over, as browsers do: it may have carried a word.
    An event that the end of the stream cuts is never given.
    """

    def __init__(self, most_bytes: int = EVENT_BYTES) -> None:
        self.trouble: Trouble | None = None
        self._most_bytes = most_bytes
        self._held = bytearray()
        self._is_first_line = True
        self._ended_in_return = False
        self._name = ""
        self._data: list[bytes] = []
        self._data_bytes = 0

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this piece of the stream completes."""
        if self.trouble or not chunk:
            return []
        if b"\r" in chunk or self._ended_in_return:
            chunk = self._with_plain_line_ends(chunk)
        lines = chunk.split(b"\n")
        rest = lines.pop()
        events = self._read(lines) if lines else []
        if rest and not self.trouble:
            self._hold(rest)
        return events

    def _with_plain_line_ends(self, chunk: bytes) -> bytes:
        """A line ends in LF, CRLF or CR, and the two of CRLF may come in two pieces."""
        if self._ended_in_return:
            chunk = chunk.removeprefix(b"\n")
        self._ended_in_return = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _read(self, lines: list[bytes]) -> list[ServerSentEvent]:
        if self._held or self._is_first_line:
            lines[0] = self._whole_line(lines[0])
        events: list[ServerSentEvent] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._add_data(line[5:])
            elif line:
                self._read_other_field(line)
            elif self._data:
                events.append(self._take_event())
            else:
                self._name = ""
            if self.trouble:
                break
        return events

    def _whole_line(self, end: bytes) -> bytes:
        line = bytes(self._held) + end
        self._held.clear()
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix(BYTE_ORDER_MARK)
        return line

    def _add_data(self, value: bytes) -> None:
        self._data_bytes += len(value)
        if self._data_bytes > self._most_bytes:
            self._give_up(Trouble.TOO_LONG)
        else:
            self._data.append(value.removeprefix(b" "))

    def _read_other_field(self, line: bytes) -> None:
        field, _, value = line.partition(b":")
        if field == b"event":
            self._name = value.removeprefix(b" ").decode(errors="replace")
        elif field == b"data":
            self._add_data(b"")
        elif field and field not in FIELDS_WITHOUT_TEXT:
            self._give_up(Trouble.UNREADABLE)

    def _take_event(self) -> ServerSentEvent:
        data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
        event = ServerSentEvent(self._name, data.decode(errors="replace"))
        self._name, self._data, self._data_bytes = "", [], 0
        return event

    def _hold(self, piece: bytes) -> None:
        if len(self._held) + len(piece) > self._most_bytes:
            self._give_up(Trouble.TOO_LONG)
        else:
            self._held += piece

    def _give_up(self, trouble: Trouble) -> None:
        self.trouble = trouble
        self._held, self._data = bytearray(), []
