"""Reads what a person wants of the demo agent from what they wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

USUAL_RATE = 40.0
SLOW_RATE = 5.0
FAST_RATE = 400.0
MOST_TOKENS = 100_000
MOST_CALLS = 100


class FaultKind(StrEnum):
    FAIL = "fail"
    HANG = "hang"
    CUT = "cut"
    REFUSE = "refuse"
    LENGTH = "length"


@dataclass(frozen=True)
class Fault:
    """What goes wrong once that many tokens of text are said."""

    kind: FaultKind
    after: int


@dataclass(frozen=True)
class Call:
    """A tool somebody wants to see used; without a name, whichever is offered."""

    name: str = ""
    argument: str = ""


@dataclass(frozen=True)
class Wish:
    """`rate` is in tokens a second, 0 is as fast as possible; `thoughts` counts words of reasoning, and
    None leaves the reasoning to the answer."""

    rate: float = USUAL_RATE
    text: str = ""
    tokens: int | None = None
    echo: str | None = None
    thoughts: int | None = None
    calls: tuple[Call, ...] = ()
    fault: Fault | None = None


def read_wish(question: str) -> Wish | None:
    """What a question made of directives alone asks for; None for an ordinary question."""
    rest = MENTION.sub("", question, count=1).strip()
    wish: Wish | None = None
    while rest:
        found = _first_directive(rest)
        if found is None:
            return None
        change, match = found
        wish = change(wish or Wish(), match)
        rest = rest[match.end() :]
    return wish


def _first_directive(rest: str) -> tuple[Change, re.Match[str]] | None:
    matches = ((change, pattern.match(rest)) for pattern, change in DIRECTIVES)
    return next(((change, match) for change, match in matches if match), None)


def _say_text(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, text=match["text"].lower())


def _count(wish: Wish, match: re.Match[str]) -> Wish:
    rate = wish.rate if match["rate"] is None else float(match["rate"])
    return replace(wish, tokens=min(MOST_TOKENS, int(match["count"])), rate=rate)


def _set_rate(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, rate=float(match["rate"]))


def _slow_down(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, rate=SLOW_RATE)


def _speed_up(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, rate=FAST_RATE)


def _think(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, thoughts=min(MOST_TOKENS, int(match["count"] or 60)))


def _call_one(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, calls=(*wish.calls, Call(match["name"], (match["argument"] or "").strip())))


def _call_several(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, calls=wish.calls + (Call(),) * min(MOST_CALLS, int(match["count"])))


def _go_wrong(wish: Wish, match: re.Match[str]) -> Wish:
    fault = Fault(FaultKind(match["kind"].lower()), int(match["count"] or 8))
    return replace(wish, fault=fault)


def _echo(wish: Wish, match: re.Match[str]) -> Wish:
    return replace(wish, echo=match["words"].strip())


Change = Callable[[Wish, re.Match[str]], Wish]

MENTION = re.compile(r"\s*@\w+[,:]?\s+")
# What may stand between two directives.
GAP = r"(?:[\s,;.!?]+|$)(?:(?:then|and)\s+)?"
COUNT = r"(?P<count>[0-9]{1,9})"
RATE = r"at\s+(?P<rate>[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*/\s*s"


def _directive(pattern: str, change: Change) -> tuple[re.Pattern[str], Change]:
    return re.compile(rf"{pattern}{GAP}", re.IGNORECASE), change


DIRECTIVES = (
    _directive(rf"tokens\s+{COUNT}(?:\s+{RATE})?", _count),
    _directive(RATE, _set_rate),
    _directive(r"slow", _slow_down),
    _directive(r"fast", _speed_up),
    _directive(rf"think(?:\s+{COUNT})?", _think),
    _directive(rf"tools\s+{COUNT}", _call_several),
    _directive(r"tool\s+(?P<name>[\w-]+)(?P<argument>[ \t]+[^\n;]+)?", _call_one),
    _directive(r"(?P<text>markdown|code|long|help)", _say_text),
    _directive(rf"(?P<kind>fail|hang|cut|refuse|length)(?:\s+after\s+{COUNT})?", _go_wrong),
    _directive(r"echo\s(?P<words>(?s:.)+)", _echo),
)
