"""Turns what people and agents write into HTML that can neither run nor fetch anything."""

from __future__ import annotations

import functools
import html
import re
from dataclasses import dataclass

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from sessions_app.blocks import Block, Splitter

# Beyond this a block is shown as it is: rendering must never stall a page.
LONGEST_RENDERED = 50_000
DEEPEST = 40
MESSAGE_LEVEL = 3
MOST_BRACKETS = 2_000  # each may begin a link, and is compared with all that follow
TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "code": {"class"}, "span": {"class"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
LIST_END = re.compile(r"</(ul|ol)>\n$")
LIST_START = re.compile(r"<(ul|ol)(?: start=\"\d+\")?>\n")
# What frames a block is put round it after it was cleaned: no text can bring such tags along.
FRAMES = (
    ("<pre>", '<div class="code"><button class="code-copy" type="button" data-action="copy-code">Copy</button>'
     '<pre tabindex="0">'),
    ("</pre>", "</pre></div>"),
    ("<table>", '<div class="table-frame" role="group" aria-label="Table" tabindex="0"><table>'),
    ("</table>", "</table></div>"),
)  # fmt: skip


@dataclass(frozen=True)
class RenderedBlock:
    """Safe HTML that stands for the text up to `end`; with `joins` its items go on the list before it."""

    html: str
    end: int
    joins: bool


class Renderer:
    """Renders one text while it is being written: each block once, when it is finished."""

    def __init__(self) -> None:
        self._splitter = Splitter()
        self._last = ""

    def feed(self, text: str) -> list[RenderedBlock]:
        return [self._rendered(block) for block in self._splitter.feed(text)]

    def finish(self) -> list[RenderedBlock]:
        return [self._rendered(block) for block in self._splitter.finish()]

    def tail(self) -> str:
        return self._splitter.tail()

    def _rendered(self, block: Block) -> RenderedBlock:
        rendered, before = render_block(block.text), LIST_END.search(self._last)
        start = LIST_START.match(rendered)
        joins = block.joins and before is not None and start is not None and before[1] == start[1]
        self._last = rendered
        return RenderedBlock(rendered, block.end, joins)


def render_markdown(text: str) -> str:
    """Safe HTML: no scripts, no styles, no images, so that no request leaves the origin."""
    renderer = Renderer()
    return joined([*renderer.feed(text), *renderer.finish()])


def joined(blocks: list[RenderedBlock]) -> str:
    """The blocks as one page shows them."""
    shown: list[str] = []
    for block in blocks:
        shown.append(block.html)
        if block.joins:
            shown[-2:] = [LIST_END.sub("", shown[-2]), LIST_START.sub("", block.html, count=1)]
    return "".join(shown)


@functools.lru_cache(maxsize=1024)
def render_block(text: str) -> str:
    """One block; everybody who is shown it again gets the same."""
    if len(text) > LONGEST_RENDERED or text.count("[") > MOST_BRACKETS:
        return plain(text)
    try:
        tokens = _MARKDOWN.parse(text)
    except RecursionError:
        return plain(text)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return plain(text)  # what is nested deeper than this the parser leaves out
    _lower_headings(tokens)
    cleaned = nh3.clean(
        _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
    for tag, frame in FRAMES:
        cleaned = cleaned.replace(tag, frame)
    return cleaned


def _lower_headings(tokens: list[Token]) -> None:
    """A message stands below the page's own headings, and so does every heading in it."""
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + MESSAGE_LEVEL)}"


def plain(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>\n"


def _highlighted(code: str, language: str, _attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language) if language else None
    except ClassNotFound:
        lexer = None
    if lexer is None:
        return ""
    colored: str = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return colored


_MARKDOWN = MarkdownIt(
    "commonmark",
    {"html": False, "linkify": False, "breaks": True, "maxNesting": DEEPEST, "highlight": _highlighted},
).enable(["table", "strikethrough"])
