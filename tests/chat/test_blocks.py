"""The blocks of a reply that is being written."""

from __future__ import annotations

from chat.blocks import LiveBlocks


def test_a_block_comes_once_it_is_finished() -> None:
    live = LiveBlocks()
    assert live.feed("turn_started", "m", {}) == []
    assert live.feed("text", "m", {"text": "One **wo"}) == []
    assert live.feed("text", "m", {"text": "rd**.\n\nT"}) == []
    [block] = live.feed("text", "m", {"text": "wo\n"})
    assert block == {
        "message": "m",
        "part": 0,
        "index": 0,
        "html": "<p>One <strong>word</strong>.</p>\n",
        "end": len("One **word**.\n\n"),
        "joins": False,
    }


def test_parts_are_numbered_as_they_are_folded() -> None:
    live = LiveBlocks()
    live.feed("reasoning", "m", {"text": "hm"})
    live.feed("reasoning", "m", {"text": " hm"})
    live.feed("text", "m", {"text": "a"})
    [block] = live.feed("tool_call", "m", {"id": "1"})
    assert (block["part"], block["index"], block["html"]) == (1, 0, "<p>a</p>\n")
    live.feed("tool_result", "m", {"id": "1"})
    live.feed("text", "m", {"text": "b\n\n"})
    [block] = live.feed("text", "m", {"text": "c\n"})
    assert (block["part"], block["html"]) == (4, "<p>b</p>\n")


def test_two_replies_do_not_mix_and_a_sealed_one_is_forgotten() -> None:
    live = LiveBlocks()
    live.feed("text", "m", {"text": "a\n\n"})
    live.feed("text", "n", {"text": "x\n\n"})
    live.feed("sealed", "m", {})
    assert live.feed("text", "m", {"text": "b\n"}) == []
    [block] = live.feed("text", "n", {"text": "y\n"})
    assert block["html"] == "<p>x</p>\n"


def test_what_people_write_brings_no_blocks() -> None:
    assert LiveBlocks().feed("message_posted", "m", {"text": "a\n\nb\n\n"}) == []
    assert LiveBlocks().feed("settings_changed", None, {}) == []
