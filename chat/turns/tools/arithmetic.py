"""Numbers for the calculator: whole ones exact, others decimal, none beyond a thousand digits."""

from __future__ import annotations

import ast
import contextlib
import decimal
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from chat.turns.tools.base import ToolFailure

Number = int | Decimal

DIGITS = 50
SHOWN_DIGITS = 30
MOST_BITS = 3_330  # about a thousand digits
MOST_FACTORIAL = 450
MOST_PLACES = 40
LARGEST_ANGLE = 10**15
TOO_LARGE = "The result is too large; at most a thousand digits can be calculated."
CONTEXT = decimal.Context(
    prec=DIGITS,
    Emax=999,
    Emin=-999,
    traps=[decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow],
)
NAMES: dict[str, Number] = {
    "pi": Decimal("3.14159265358979323846264338327950288419716939937511"),
    "e": Decimal("2.71828182845904523536028747135266249775724709369996"),
}


def calculating() -> contextlib.AbstractContextManager[decimal.Context]:
    return decimal.localcontext(CONTEXT)


def bounded(value: Number) -> Number:
    """The value, if it is finite and not too long to be worth writing down."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise ToolFailure(TOO_LARGE)
    if isinstance(value, Decimal) and not value.is_finite():
        raise ToolFailure("This has no finite result.")
    return value


def shown(value: Number) -> str:
    if isinstance(value, int):
        return str(value)
    rounded = decimal.Context(prec=SHOWN_DIGITS).plus(value)
    if rounded == rounded.to_integral_value() and abs(rounded.adjusted()) < SHOWN_DIGITS:
        return str(int(rounded))
    plain = -10 <= rounded.adjusted() < SHOWN_DIGITS
    return f"{rounded.normalize():f}" if plain else str(rounded.normalize())


def divided(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int) and right != 0 and left % right == 0:
        return left // right
    return Decimal(left) / Decimal(right)


def floor_divided(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left // right
    return math.floor(Decimal(left) / Decimal(right))


def remainder(left: Number, right: Number) -> Number:
    """Has the sign of the divisor, for broken numbers as for whole ones."""
    if isinstance(left, int) and isinstance(right, int):
        return left % right
    return Decimal(left) - Decimal(right) * floor_divided(left, right)


def power(base: Number, exponent: Number) -> Number:
    """The size is known before the work is done: 9 ** 9 ** 9 costs nothing."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if abs(base) <= 1:
            return _power_of_one(base, exponent)
        if exponent > MOST_BITS / math.log2(abs(base)):
            raise ToolFailure(TOO_LARGE)
        result: int = base**exponent
        return result
    return Decimal(base) ** Decimal(exponent)


def _power_of_one(base: int, exponent: int) -> int:
    """Powers of -1, 0 and 1, whatever the exponent."""
    return 1 if exponent == 0 else base if exponent % 2 else abs(base)


def factorial(value: Number) -> int:
    whole = int(value)
    if whole != value or not 0 <= whole <= MOST_FACTORIAL:
        raise ToolFailure(f"factorial takes a whole number from 0 to {MOST_FACTORIAL}.")
    return math.factorial(whole)


def rounded_to(value: Number, places: Number = 0) -> Number:
    if places != int(places) or not -MOST_PLACES <= places <= MOST_PLACES:
        raise ToolFailure(f"round takes up to {MOST_PLACES} places.")
    result = Decimal(value).quantize(Decimal(1).scaleb(-int(places)), rounding=decimal.ROUND_HALF_UP)
    return int(result) if places <= 0 else result


def logarithm(value: Number, base: Number | None = None) -> Number:
    return Decimal(value).ln() if base is None else Decimal(value).ln() / Decimal(base).ln()


def square_root(value: Number) -> Number:
    if isinstance(value, int) and value >= 0 and math.isqrt(value) ** 2 == value:
        return math.isqrt(value)
    return Decimal(value).sqrt()


def floated(function: Callable[[float], float]) -> Callable[[Number], Number]:
    def call(value: Number) -> Number:
        if not -LARGEST_ANGLE <= value <= LARGEST_ANGLE:
            raise ToolFailure("The angle is too large to be calculated with.")
        return Decimal(repr(round(function(float(value)), 15)))

    return call


def mixed(function: Callable[[Any, Any], Any]) -> Callable[[Number, Number], Number]:
    """An operator on two whole numbers or, if one is broken, on two decimal ones."""

    def call(left: Number, right: Number) -> Number:
        both_whole = isinstance(left, int) and isinstance(right, int)
        result: Number = function(left, right) if both_whole else function(Decimal(left), Decimal(right))
        return result

    return call


SIGNS: dict[type[ast.unaryop], Callable[[Number], Number]] = {
    ast.UAdd: lambda value: value,
    ast.USub: lambda value: -value,
}
OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: mixed(operator.add),
    ast.Sub: mixed(operator.sub),
    ast.Mult: mixed(operator.mul),
    ast.Div: divided,
    ast.FloorDiv: floor_divided,
    ast.Mod: remainder,
    ast.Pow: power,
}
MANY = 100
# The fewest and the most values each takes.
FUNCTIONS: dict[str, tuple[int, int, Callable[..., Number]]] = {
    "abs": (1, 1, abs),
    "round": (1, 2, rounded_to),
    "floor": (1, 1, math.floor),
    "ceil": (1, 1, math.ceil),
    "sqrt": (1, 1, square_root),
    "exp": (1, 1, lambda value: Decimal(value).exp()),
    "ln": (1, 1, logarithm),
    "log": (1, 2, logarithm),
    "log10": (1, 1, lambda value: Decimal(value).log10()),
    "sin": (1, 1, floated(math.sin)),
    "cos": (1, 1, floated(math.cos)),
    "tan": (1, 1, floated(math.tan)),
    "min": (1, MANY, min),
    "max": (1, MANY, max),
    "factorial": (1, 1, factorial),
}
