"""Markdown becomes HTML that can neither run nor fetch anything, the same live and at once."""

from __future__ import annotations

import pytest

from sessions_app.markdown import Renderer, joined, render_markdown

TEXT = """# A title
Some *words*:
1. one
2. two

   more
3. three

```python
def hold(fast):

    return fast
```
| a | b |
|---|---|
| 1 | 2 |
"""


def test_what_was_rendered_live_reads_as_what_is_rendered_at_once() -> None:
    renderer = Renderer()
    blocks = [block for character in TEXT for block in renderer.feed(character)]
    assert joined([*blocks, *renderer.finish()]) == render_markdown(TEXT)


def test_a_list_that_came_item_by_item_is_one_list() -> None:
    html = render_markdown(TEXT)
    assert (html.count("<ol"), html.count("<li>")) == (1, 3)


def test_code_is_coloured_and_can_be_copied() -> None:
    html = render_markdown(TEXT)
    assert '<span class="k">def</span>' in html
    assert html.count('data-action="copy-code"') == 1


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "![x](https://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
        "```<img src=x onerror=alert(1)>\nx\n```",
        '[x](https://ok.example "onclick=alert(1)")',
        "<button data-action='stop'>",
    ],
)
def test_nothing_that_is_written_runs_or_fetches(text: str) -> None:
    html = render_markdown(text)
    for danger in ("<script", "<img", 'href="javascript:', " onerror", "data-action='stop'>"):
        assert danger not in html.replace("&lt;img src=x onerror", "").replace("&lt;", "")


@pytest.mark.parametrize("text", ["x" * 1_000_000, "[" * 50_000, "&gt; " * 500, "&gt; " * 41 + "deep"])
def test_what_would_stall_or_be_left_out_is_shown_as_it_is(text: str) -> None:
    assert render_markdown(text.replace("&gt;", ">")) == f"<pre>{text}</pre>\n"
