"""The reader of server-sent events: every cut gives the same events, and no stream fills the memory."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.providers.sse import EventReader, ServerSentEvent, Trouble

STREAM = (
    "\ufeff: a comment\n"
    'event: delta\ndata: {"text":"hält 🙂"}\n\n'
    "data:no space\rdata: second line\r\r"
    "id: 7\r\nretry: 10\r\ndata\r\ndata: x\r\n\r\n"
    "event: nothing\n\n"
    "data: last\n\n"
    "data: cut off by the e"
).encode()
EVENTS = [
    ServerSentEvent("delta", '{"text":"hält 🙂"}'),
    ServerSentEvent("", "no space\nsecond line"),
    ServerSentEvent("", "\nx"),
    ServerSentEvent("", "last"),
]


def read(chunks: Iterable[bytes], reader: EventReader | None = None) -> list[ServerSentEvent]:
    reader = reader or EventReader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


def test_a_stream_in_one_piece_is_read() -> None:
    assert read([STREAM]) == EVENTS


def test_a_stream_in_single_bytes_is_read_the_same() -> None:
    assert read(bytes([number]) for number in STREAM) == EVENTS


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_a_stream_cut_anywhere_is_read_the_same(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    assert read(STREAM[start:end] for start, end in itertools.pairwise(edges)) == EVENTS


@given(st.lists(st.text(alphabet="ab:\r\n ", max_size=6)), st.integers(1, 5))
def test_no_bytes_break_the_reader(lines: list[str], size: int) -> None:
    stream = "data:".join(lines).encode()
    whole, pieces = EventReader(), EventReader()
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert read([stream], whole) == read(chunks, pieces)
    assert whole.trouble == pieces.trouble


def test_an_event_is_given_as_soon_as_its_empty_line_is_there() -> None:
    reader = EventReader()
    assert reader.feed(b"data: x\r\n\r") == [ServerSentEvent("", "x")]
    assert reader.feed(b"\ndata: y\n\n") == [ServerSentEvent("", "y")]


def test_a_name_without_data_is_not_left_for_the_next_event() -> None:
    assert read([b"event: a\n\ndata: x\n\n"]) == [ServerSentEvent("", "x")]


def test_bytes_that_are_no_letters_are_visibly_replaced() -> None:
    assert read([b"data: a\xff\xe2\x82b\n\n"]) == [ServerSentEvent("", "a\ufffd\ufffdb")]


@pytest.mark.parametrize("line", [b"dta: lost", b"<!DOCTYPE html>", b" data: lost", b'{"error": 1}'])
def test_a_line_that_is_none_of_the_format_ends_the_stream_after_what_came_before(line: bytes) -> None:
    reader = EventReader()
    assert reader.feed(b"data: kept\n\n" + line + b"\n\ndata: after\n\n") == [ServerSentEvent("", "kept")]
    assert reader.trouble is Trouble.UNREADABLE
    assert reader.feed(b"data: later\n\n") == []


@pytest.mark.parametrize("chunk_bytes", [1, 100, 1000])
def test_a_line_beyond_the_limit_ends_the_stream_after_what_came_before(chunk_bytes: int) -> None:
    stream = b"data: kept\n\ndata: " + b"x" * 500 + b"\n\ndata: after\n\n"
    reader = EventReader(most_bytes=200)
    chunks = [stream[start : start + chunk_bytes] for start in range(0, len(stream), chunk_bytes)]
    assert read(chunks, reader) == [ServerSentEvent("", "kept")]
    assert reader.trouble is Trouble.TOO_LONG


def test_an_event_of_many_lines_has_the_same_limit() -> None:
    reader = EventReader(most_bytes=200)
    assert read([b"data: " + b"x" * 50 + b"\n"] * 10, reader) == []
    assert reader.trouble is Trouble.TOO_LONG


def test_comments_for_ever_are_no_event_and_are_not_held() -> None:
    reader = EventReader(most_bytes=200)
    assert read([b": still here\n\n"] * 1000, reader) == []
    assert reader.trouble is None


def test_a_line_of_ten_megabytes_is_not_held() -> None:
    chunk = b"x" * 65_536
    reader = EventReader()
    tracemalloc.start()
    try:
        read([b"data: ", *[chunk] * 160], reader)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reader.trouble is Trouble.TOO_LONG
    assert peak < 3 * 1024 * 1024
