"""Puts what people and agents wrote into Markdown so that it stays what they wrote: it can neither pass for a
heading or an author of ours, nor run or fetch anything in whatever shows the file."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sessions_app.markdown import DEEPEST, LONGEST_RENDERED, MOST_BRACKETS

SPECIAL = re.compile(r"([\\`*_\[\]<>&|~!#])")
TICKS = re.compile(r"`+")
ROUNDS = 3

_PARSER = MarkdownIt("commonmark", {"html": True, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])


def plain(text: str) -> str:
    """For the middle of a line, such as a title or a name."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def quoted(text: str) -> str:
    """A quotation, in which Markdown is Markdown and HTML is text."""
    text = _with_plain_ends(text)
    if len(text) > LONGEST_RENDERED or text.count("[") > MOST_BRACKETS:
        return fenced(text)
    found = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
    return _inert(found, rounds=ROUNDS) or fenced(text)


def fenced(text: str, language: str = "") -> str:
    """As it is, letter by letter."""
    text = _with_plain_ends(text)
    longest = max((len(run) for run in TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _inert(markdown: str, *, rounds: int) -> str:
    """What is taken for HTML or for an image is made text, until nothing is: to change a line may give the next
    another meaning. Empty where that comes to no end."""
    try:
        tokens = _PARSER.parse(markdown)
    except RecursionError:
        return ""
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return ""
    active = _active_lines(tokens)
    if not active:
        return markdown
    if rounds == 0:
        return ""
    lines = markdown.split("\n")
    for number in active:
        lines[number] = lines[number].replace("<", "&lt;").replace("![", "!\\[")
    return _inert("\n".join(lines), rounds=rounds - 1)


def _active_lines(tokens: list[Token]) -> set[int]:
    """Those that a browser would take for more than text."""
    return {
        number
        for token in tokens
        if token.map is not None and (token.type == "html_block" or _is_active(token))
        for number in range(*token.map)
    }


def _is_active(token: Token) -> bool:
    return any(child.type in ("html_inline", "image") for child in token.children or ())


def _with_plain_ends(text: str) -> str:
    """Every way to end a line is one to begin another outside of a quotation."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
