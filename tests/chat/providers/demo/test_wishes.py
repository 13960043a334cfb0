from __future__ import annotations

import pytest

from chat.providers.demo.wishes import MOST_TOKENS, Call, Fault, FaultKind, Wish, read_wish


@pytest.mark.parametrize(
    ("question", "wish"),
    [
        ("tokens 500 at 50/s", Wish(tokens=500, rate=50)),
        ("@Demo: Tokens 5 at 0/s", Wish(tokens=5, rate=0)),
        ("at 2.5/s, tokens 5", Wish(tokens=5, rate=2.5)),
        ("think", Wish(thoughts=60)),
        ("think 3 then slow and markdown!", Wish(thoughts=3, rate=5, text="markdown")),
        ("fast", Wish(rate=400)),
        ("tool calculator 2*(3+4)", Wish(calls=(Call("calculator", "2*(3+4)"),))),
        ("tool search a, b; tool time", Wish(calls=(Call("search", "a, b"), Call("time")))),
        ("tools 2", Wish(calls=(Call(), Call()))),
        ("fail", Wish(fault=Fault(FaultKind.FAIL, 8))),
        ("hang after 5", Wish(fault=Fault(FaultKind.HANG, 5))),
        ("slow; echo fail after 5; slow", Wish(rate=5, echo="fail after 5; slow")),
        ("tokens 999999999", Wish(tokens=MOST_TOKENS)),
    ],
)
def test_directives_are_read(question: str, wish: Wish) -> None:
    assert read_wish(question) == wish


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "hello",
        "I think it is slow",
        "think about it",
        "fast food",
        "tokens",
        "tokens many",
        "tokens 9999999999",
        "tokens 5 at 9/m",
        "tool",
        "code review",
        "failure",
        "echo",
    ],
)
def test_ordinary_words_are_no_directive(question: str) -> None:
    assert read_wish(question) is None
