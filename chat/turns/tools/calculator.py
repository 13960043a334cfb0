"""The tool `calculator`: arithmetic on a parsed expression, never executed, with every step bounded."""

from __future__ import annotations

import ast
import decimal
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated

from chat.turns.tools.arithmetic import (
    FUNCTIONS,
    NAMES,
    OPERATORS,
    SIGNS,
    Number,
    bounded,
    calculating,
    shown,
)
from chat.turns.tools.base import ToolContext, ToolFailure, tool
from chat.turns.tools.signature import Hint

LONGEST = 1_000
DEEPEST = 300
WRITTEN_OTHERWISE = str.maketrans({"×": "*", "÷": "/", "−": "-", "·": "*"})  # noqa: RUF001 - as people write


def calculate(
    context: ToolContext,
    expression: Annotated[
        str,
        Hint(
            f"Such as (1.5 + 2) * 3 ** 2. Operators: + - * / // % **. Names: {', '.join([*NAMES, *FUNCTIONS])}.",
            least=1,
            most=LONGEST,
        ),
    ],
) -> str:
    with calculating():
        return shown(evaluated(expression))


def evaluated(expression: str) -> Number:
    """The value of an expression; what is no arithmetic or grows too large is refused with a sentence."""
    try:
        tree = ast.parse(expression.translate(WRITTEN_OTHERWISE).strip(), mode="eval")
        return _value(tree.body, depth=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ToolFailure("This is no expression that can be calculated.") from error
    except ZeroDivisionError as error:
        raise ToolFailure("This divides by zero.") from error
    except decimal.Overflow as error:
        raise ToolFailure("The result is too large.") from error
    except decimal.DecimalException as error:
        raise ToolFailure("This has no result among the real numbers.") from error


def _value(node: ast.expr, *, depth: int) -> Number:
    if depth > DEEPEST:
        raise ToolFailure("The expression is nested too deeply.")
    match node:
        case ast.Constant(value=value):
            return _number(value)
        case ast.Name(id=name) if name in NAMES:
            return NAMES[name]
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in SIGNS:
            return SIGNS[type(sign)](_value(operand, depth=depth + 1))
        case ast.BinOp(left=left, op=operator, right=right):
            operands = (_value(left, depth=depth + 1), _value(right, depth=depth + 1))
            return bounded(_operator(operator)(*operands))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _called(name, [_value(argument, depth=depth + 1) for argument in arguments])
        case _:
            raise ToolFailure("Only numbers, the known operators and the known functions can be used.")


def _number(value: object) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ToolFailure("Only numbers can be calculated with.")
    return bounded(value if isinstance(value, int) else Decimal(repr(value)))


def _operator(operator: ast.operator) -> Callable[[Number, Number], Number]:
    if isinstance(operator, ast.BitXor):
        raise ToolFailure("Write a power with **; ^ is not an operator here.")
    if type(operator) not in OPERATORS:
        raise ToolFailure("The operators are + - * / // % and **.")
    return OPERATORS[type(operator)]


def _called(name: str, values: list[Number]) -> Number:
    least, most, function = FUNCTIONS[name]
    if not least <= len(values) <= most:
        raise ToolFailure(f"{name} takes {'1 value' if most == 1 else f'{least} to {most} values'}.")
    return bounded(function(*values))


TOOL = tool(
    "calculator",
    "Calculates an arithmetic expression exactly where that is possible.",
    calculate,
    is_idempotent=True,
    seconds=5,
)
