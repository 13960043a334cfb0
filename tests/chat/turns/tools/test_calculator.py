from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turns.tools import ToolContext, ToolOutcome, call_tool
from chat.turns.tools.calculator import LONGEST
from sessions_app.models import Conversation, Session

NOWHERE = ToolContext(Conversation(), Session())


def calculated(expression: str) -> ToolOutcome:
    return call_tool("calculator", json.dumps({"expression": expression}), NOWHERE)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1 + 2 * 3", "7"),
        ("0.1 + 0.2", "0.3"),
        ("(1.5 + 2) * 3 ** 2", "31.5"),
        ("10 / 5", "2"),
        ("10 / 4", "2.5"),
        ("1 / 3", "0.333333333333333333333333333333"),
        ("2 ** 64", "18446744073709551616"),
        ("2 ** 3300 % 10", "6"),
        ("2 ** -1", "0.5"),
        ("0 ** 0", "1"),
        ("(-1) ** 10 ** 300", "1"),
        ("-7 // 2", "-4"),
        ("-7.5 // 2", "-4"),
        ("-7 % 2", "1"),
        ("-7.5 % 2", "0.5"),
        ("sqrt(16)", "4"),
        ("sqrt(2)", "1.41421356237309504880168872421"),
        ("round(2.5)", "3"),
        ("round(2.345, 2)", "2.35"),
        ("round(1250, -2)", "1300"),
        ("floor(-1.5) + ceil(1.2)", "0"),
        ("factorial(20)", "2432902008176640000"),
        ("log(8, 2)", "3"),
        ("log10(1000)", "3"),
        ("ln(e)", "1"),
        ("sin(pi)", "0"),
        ("max(3, 1, 2) - min(3, 1, 2)", "2"),
        ("3 × 4 − 10 ÷ 5", "10"),  # noqa: RUF001 - as people write
        ("1e300 * 1e300", "1E+600"),
        ("+".join(["1"] * 200), "200"),
    ],
)
def test_it_calculates(expression: str, result: str) -> None:
    assert calculated(expression) == ToolOutcome("ok", result)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("9**9**9", "too large"),
        ("9**9**9**9**9", "too large"),
        ("2 ** 10 ** 400", "too large"),
        ("10 ** 999 * 10 ** 999", "too large"),
        ("9.5 ** 99999", "too large"),
        ("exp(99999)", "too large"),
        ("factorial(10 ** 9)", "from 0 to 450"),
        ("factorial(2.5)", "from 0 to 450"),
        ("round(1, 10 ** 9)", "up to 40 places"),
        ("tan(10 ** 20)", "angle is too large"),
        ("1e400", "no finite result"),
        ("ln(0)", "no finite result"),
        ("1 / 0", "divides by zero"),
        ("1 % 0.0", "divides by zero"),
        ("(-8) ** 0.5", "real numbers"),
        ("sqrt(-1)", "real numbers"),
        ("2 ^ 3", "Write a power with **"),
        ("1 << 99999999", "The operators are"),
        ("abs(1, 2)", "abs takes 1 value."),
        ("max()", "max takes 1 to 100 values."),
        ("'a' * 10 ** 9", "Only numbers can be"),
        ("True + 1", "Only numbers can be"),
        ("1j", "Only numbers can be"),
        ("__import__('os').system('true')", "Only numbers, the known"),
        ("().__class__.__base__", "Only numbers, the known"),
        ("[1] * 10 ** 9", "Only numbers, the known"),
        ("(lambda: 1)()", "Only numbers, the known"),
        ("max(*range(9))", "Only numbers, the known"),
        ("round(1, ndigits=2)", "Only numbers, the known"),
        ("x := 1", "no expression"),
        ("1; 2", "no expression"),
        ("", "1 to 1,000 characters"),
        ("\x00", "no expression"),
        ("(" * 400 + "1" + ")" * 400, "no expression"),
        ("-" * 900 + "1", "nested too deeply"),
        ("9" * (LONGEST + 1), "1 to 1,000 characters"),
    ],
)
def test_what_it_cannot_calculate_it_refuses_with_a_sentence(expression: str, says: str) -> None:
    outcome = calculated(expression)
    assert outcome.is_error
    assert says in outcome.output


@given(st.text("0123456789.+-*/%() ,eabsqrtmxflog", max_size=LONGEST))
def test_no_text_breaks_it(expression: str) -> None:
    outcome = calculated(expression)
    assert "reason of its own" not in outcome.output
    assert len(outcome.output) < 1_100
