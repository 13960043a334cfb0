"""The life of a turn as two tables: what may become of it, and what becomes of one whose owner died.

The services step through these tables and through nothing else; docs/architecture.md shows them as they are here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sessions_app.models import TurnState

MOST_RESUMES = 3
SERVER_STOPPED = "The server stopped"


@dataclass(frozen=True)
class Step:
    before: TurnState
    after: TurnState
    when: str


STEPS = (
    Step(TurnState.QUEUED, TurnState.RUNNING, "a process claims it"),
    Step(TurnState.QUEUED, TurnState.WITHDRAWN, "who asked takes it back, or the session is archived"),
    Step(TurnState.QUEUED, TurnState.STOPPED, "somebody stops it before it begins"),
    Step(TurnState.RUNNING, TurnState.RUNNING, "its owner died or let go, and another process goes on"),
    Step(TurnState.RUNNING, TurnState.COMPLETED, "the agent says that it is done"),
    Step(TurnState.RUNNING, TurnState.FAILED, "the agent fails, or comes to no end"),
    Step(TurnState.RUNNING, TurnState.STOPPED, "somebody stops it, or the session is archived"),
    Step(TurnState.RUNNING, TurnState.INTERRUPTED, "its owner died, and nobody can go on by itself"),
)

ALLOWED = {(step.before, step.after) for step in STEPS}


def require_step(before: str, after: TurnState) -> None:
    """A step that is not in the table is a defect of ours: it stops here, and the transaction with it."""
    if (before, after) not in ALLOWED:
        raise AssertionError(f"a turn never goes from {before} to {after}")


@dataclass(frozen=True)
class Remains:
    """What a dead owner left: a tool that may or may not have acted, whether the agent can go on, how often
    it had to before, because others had died."""

    unknown_tool: str
    can_continue: bool
    resumes: int


@dataclass(frozen=True)
class Rule:
    """`reason` is what the reader is told; without one the turn is handed on and its message stays open."""

    when: str
    applies: Callable[[Remains], bool]
    reason: str = ""


# The first that applies decides.
RULES = (
    Rule(
        "a tool call has no result, and its tool is not declared idempotent",
        lambda left: bool(left.unknown_tool),
        SERVER_STOPPED
        + " while the tool “{unknown_tool}” ran. Whether it acted is not known, so it was not run again.",
    ),
    Rule(
        "the agent cannot go on after its own words, or is set to ask",
        lambda left: not left.can_continue,
        SERVER_STOPPED + " while this was being written, and this agent cannot go on by itself.",
    ),
    Rule(
        f"{MOST_RESUMES} owners have died over it already",
        lambda left: left.resumes >= MOST_RESUMES,
        f"{SERVER_STOPPED} {MOST_RESUMES + 1} times while this was being written.",
    ),
    Rule("in every other case", lambda left: True),
)


def reason_to_end(left: Remains) -> str:
    """Why a turn cannot go on by itself, in words for its readers; empty when it can."""
    rule = next(rule for rule in RULES if rule.applies(left))
    return rule.reason.format(unknown_tool=left.unknown_tool)
