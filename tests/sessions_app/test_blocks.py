"""Markdown cut into finished blocks while it is being written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.blocks import Block, Splitter

PIECES = st.lists(
    st.sampled_from(
        ["a", "word ", "\n", "\n\n", "- ", "1. ", "2. ", "* ", "  ", "    ", "```", "```python\n", "~~~", "# ",
         "> ", "| a | b |\n", "|---|---|\n", "---\n", "===\n", "🌊", "\t", "\r\n"]
    ),
    max_size=60,
)  # fmt: skip


def cut(*pieces: str) -> list[Block]:
    splitter = Splitter()
    blocks = [block for piece in pieces for block in splitter.feed(piece)]
    return [*blocks, *splitter.finish()]


@given(PIECES)
def test_however_it_arrives_the_blocks_are_the_same_and_lose_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    blocks = cut(text)
    assert cut(*pieces) == cut(*text) == blocks
    assert "".join(block.text for block in blocks).rstrip() == text.rstrip()
    assert all(text[: block.end].endswith(block.text) for block in blocks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\n\ntwo", ["one\n\n", "two"]),
        ("# Title\ntext", ["# Title\n", "text"]),
        ("text\n```python\nx\n\ny\n```\nmore", ["text\n", "```python\nx\n\ny\n```\n", "more"]),
        ("title\n---\ntext", ["title\n---\ntext"]),
        ("text\n***\n", ["text\n", "***\n"]),
        ("| a |\n|---|\n| 1 |\n\nend", ["| a |\n|---|\n| 1 |\n\n", "end"]),
        ("    code\n\n    more\n", ["    code\n\n    more\n"]),
        ("in 1986\n1986. A year\n", ["in 1986\n1986. A year\n"]),
    ],
)
def test_it_cuts_where_a_block_has_ended(text: str, expected: list[str]) -> None:
    assert [block.text for block in cut(text)] == expected


def test_the_items_of_a_list_join_each_other() -> None:
    blocks = cut("1. a\n   - inner\n\n   more\n2. b\n\n3. c\n- other\n\ntext")
    assert [(block.text, block.joins) for block in blocks] == [
        ("1. a\n   - inner\n\n   more\n", False),
        ("2. b\n\n", True),
        ("3. c\n", True),
        ("- other\n\n", False),
        ("text", False),
    ]


def test_a_fence_inside_an_item_belongs_to_it() -> None:
    [first, second] = cut("- a\n  ```\n  x\n\n- no item\n  ```\n- b\n")
    assert (first.text, second.joins) == ("- a\n  ```\n  x\n\n- no item\n  ```\n", True)


def test_the_tail_is_what_no_block_holds_yet() -> None:
    splitter = Splitter()
    splitter.feed("done\n\nopen ta")
    assert splitter.tail() == "done\n\nopen ta"
    [block] = splitter.feed("il\n")
    assert (block.text, splitter.tail()) == ("done\n\n", "open tail\n")
