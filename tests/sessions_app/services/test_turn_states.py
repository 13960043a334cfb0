"""The tables of a turn's life: complete, and shown in the documents as they are in the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_app.models import TurnState
from sessions_app.services.turn_states import RULES, STEPS, Remains, reason_to_end, require_step

ARCHITECTURE = Path(__file__).resolve().parents[3] / "docs" / "architecture.md"


def test_every_state_can_be_reached_and_ends_are_final() -> None:
    assert {step.after for step in STEPS} == set(TurnState) - {TurnState.QUEUED}
    assert {step.before for step in STEPS} == {TurnState.QUEUED, TurnState.RUNNING}


def test_a_step_that_is_not_in_the_table_is_not_taken() -> None:
    with pytest.raises(AssertionError, match="never goes from completed to stopped"):
        require_step(TurnState.COMPLETED, TurnState.STOPPED)


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (Remains("mail", True, 0), "“mail”"),
        (Remains("mail", False, 3), "“mail”"),
        (Remains("", False, 0), "cannot go on by itself"),
        (Remains("", True, 3), "4 times"),
    ],
)
def test_the_first_rule_that_applies_gives_the_reason(left: Remains, says: str) -> None:
    assert says in reason_to_end(left)


def test_a_turn_is_handed_on_where_no_rule_forbids_it() -> None:
    assert reason_to_end(Remains("", True, 2)) == ""


def test_the_documents_show_the_tables_as_they_are() -> None:
    shown = ARCHITECTURE.read_text(encoding="utf-8")
    for step in STEPS:
        assert f"| {step.before} | {step.when} | {step.after} |" in shown
    for rule in RULES:
        what = "`interrupted`" if rule.reason else "handed on"
        assert f"| {rule.when} | {what} |" in shown
