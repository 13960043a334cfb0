"""Whatever an agent, a title or a name says: no script runs, and no request leaves the site."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.acting import expect_answered, start
from tests.browser.conftest import Visit
from tests.browser.hostile_corpus import PAYLOADS

CORPUS = """<script>window.hacked = 1</script>
<img src="https://evil.example/a.png" onerror="window.hacked = 1">
![tracker](https://evil.example/b.png)
[click](javascript:window.hacked=1) [data](data:text/html,<script>window.hacked=1</script>)
<svg onload="window.hacked=1"><a xlink:href="javascript:window.hacked=1">x</a></svg>
<iframe src="https://evil.example/c"></iframe><object data="https://evil.example/d"></object>
<link rel="stylesheet" href="https://evil.example/e.css"><style>@import url(https://evil.example/f.css);</style>
<a href="https://evil.example/g" ping="https://evil.example/h" style="background:url(https://evil.example/i)">a</a>
<form action="https://evil.example/j"><button data-action="archive">press</button></form>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/k">

```html"><img src=https://evil.example/l onerror=window.hacked=1>
</code></pre><script>window.hacked=1</script>
```

| <img src=x onerror=window.hacked=1> | [a](vbscript:x) |
|---|---|
| &lt;script&gt;window.hacked=1&lt;/script&gt; | <!--><script>window.hacked=1</script>--> |

\u202eright to left\u202c and `<script>window.hacked=1</script>`"""

DANGERS = (
    "script, img, iframe, object, link, style, form, base, meta, svg:not(.icon, .mark), [onerror], [style]"
)


@pytest.mark.parametrize("how", ["echo", "at 200/s echo"])
def test_what_an_agent_writes_is_only_read(visit: Visit, how: str) -> None:
    page = visit()
    start(page, f"{how} {CORPUS}")
    reply = expect_answered(page)
    for state in ("live", "reloaded"):
        expect(reply).to_contain_text("right to left")
        assert page.evaluate("window.hacked") is None, state
        assert reply.locator(DANGERS).count() == 0
        assert reply.locator("a[href^=javascript], a[href^=data], a[ping]").count() == 0
        assert reply.locator(".prose [data-action]:not(.code-copy)").count() == 0
        page.reload()


def test_the_corpus_is_large_and_has_no_doubles() -> None:
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 150


def test_the_whole_corpus_is_only_read(visit: Visit) -> None:
    """All of it in one reply, and the page still has its shape behind it."""
    page = visit()
    start(page, "echo " + "\n\n".join([*PAYLOADS, "the end of it"]))
    reply = expect_answered(page)
    for state in ("live", "reloaded"):
        expect(reply).to_contain_text("the end of it")
        assert page.evaluate("window.hacked") is None, state
        assert reply.locator(DANGERS).count() == 0
        assert (
            reply.locator("a[href^=javascript i], a[href^=data i], a[href^=vbscript i], a[ping]").count() == 0
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        page.reload()


def test_a_title_is_only_read(visit: Visit) -> None:
    page = visit()
    start(page, "echo hello")
    expect_answered(page)
    page.locator(".conversation-head").get_by_title("More").click()
    page.get_by_role("button", name="Title, agent, prompt").first.click()
    page.get_by_label("Title", exact=True).fill("<img src=x onerror=window.hacked=1>")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("<img src=x onerror=window.hacked=1>")
    expect(page.locator(".notice").last).to_contain_text("<img src=x")
    expect(page.locator(".sidebar")).to_contain_text("<img src=x")
    assert page.evaluate("window.hacked") is None
