"""The form for people: everything is there, and whatever was written stays text."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from sessions_app.models import AuditEntry, Conversation, User
from sessions_app.services.conversations import rename_conversation
from sessions_app.services.transfer.forms import Form
from sessions_app.services.transfer.inert import fenced, plain, quoted
from tests.sessions_app.conftest import Exchange, Say
from tests.sessions_app.services.transfer.acting import exported
from tests.sessions_app.services.transfer.scene import AWKWARD, Scene

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def active(markdown: str) -> list[str]:
    """What a program that shows it would take for HTML or fetch."""
    tokens = READER.parse(markdown)
    inner = [child for token in tokens for child in token.children or ()]
    kinds = ("html_block", "html_inline", "image")
    return [token.content for token in [*tokens, *inner] if token.type in kinds]


def test_all_that_was_said_and_by_whom_is_in_it(scene: Scene) -> None:
    scene.play()
    text = exported(scene.fresh(), form=Form.MARKDOWN).decode()
    for words in (
        "### alice,", "### mia,", "### Echo,", "> first answer", "> second answer",
        "*An earlier version; a newer one follows.*", "> Let me look.", "Called the tool clock: ok, 3 ms",
        "It gave:", "noon", "*Stopped by mia*", "*It failed:* The provider said no.", "*Withdrawn.*",
        "- Session 3, forked from session 1", "the old one", "- half \\| way: session 1",
    ):  # fmt: skip
        assert words in text
    assert text.index("> one\n") < text.index("> back in session one")
    assert "to be edited" not in text  # it is in another session, which is named
    assert set(active(text)) == {"<details><summary>Reasoning</summary>\n", "</details>\n"}
    assert AuditEntry.objects.filter(action="export_conversation").count() == 1


def test_an_answer_that_is_under_way_is_left_out(
    conversation: Conversation, exchange: Exchange, say: Say
) -> None:
    exchange("one", "first")
    say("two")
    text = exported(conversation, form=Form.MARKDOWN).decode()
    assert "> first" in text
    assert "> two" in text


def test_a_title_passes_for_nothing_else(conversation: Conversation, alice: User) -> None:
    rename_conversation(conversation, by=alice, title="# <img src=x> [a](javascript:b) `c` *d* ~~e~~ | f")
    first, *_ = exported(conversation, form=Form.MARKDOWN).decode().splitlines()
    heading, inline, end = READER.parse(first)
    assert (heading.tag, end.tag) == ("h1", "h1")
    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}
    shown = "".join(child.content for child in inline.children or ())
    assert shown == "# <img src=x> [a](javascript:b) `c` *d* ~~e~~ | f"


HOSTILE = [
    *AWKWARD,
    "</details>\n\n# A heading of mine\r### alice, 1 Jan\n\n<script>alert(1)</script>",
    "<script>\n```\n</script>\n\n```\n<img src=x>\n```",
    "`<a href=\"`\">` and <b\nonclick='x'>bold</b>",
    "- a\n  - b\n\n    <iframe src=x>\n\n\t```\n<style>",
    "```\n> \t```\n<script>",
    "![a\n](https://example.org/b.png) ![c][d]\n\n[d]: https://example.org/e.png",
    "<!-- \n\n --> <?php x ?> <!DOCTYPE y> <![CDATA[ z ]]>",
    "| a | b |\n|---|---|\n| <i>c</i> | ![d](e) |",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_is_more_than_text(text: str) -> None:
    found = f"# Ours\n\n{quoted(text)}\n\n## Ours too\n"
    assert active(found) == []
    tokens = [token for token in READER.parse(found) if token.level == 0]
    assert [token.type for token in tokens if token.type.endswith("_open")] in (
        ["heading_open", "blockquote_open", "heading_open"],
        ["heading_open", "heading_open"],  # where it is shown letter by letter
    )
    assert len([token for token in tokens if token.type == "fence"]) in (0, 1)


def test_what_is_plain_markdown_stays_as_it_was_written() -> None:
    text = "# A *heading*\n\n```py\nif a < b: print('<b>')\n```\n\nAnd `<b>` too, if 1 < 2.  \nNext line."
    assert quoted(text) == "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def test_a_fence_is_longer_than_any_in_it() -> None:
    [token] = READER.parse(fenced("a\n````\nb\r```", "json"))
    assert (token.type, token.content) == ("fence", "a\n````\nb\n```\n")


def test_a_name_is_one_line() -> None:
    assert plain("a\n# b\u2028c\t d") == "a \\# b c d"
