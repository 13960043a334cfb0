"""Holds what a model sends against the schema of a tool, in bounded time: a server's schema is not trusted.

Only keywords are looked at whose work can be counted. A pattern can keep a process busy for ever, and nothing is
fetched that a schema refers to. What is not looked at here, the server looks at itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

KEYWORDS = (
    "$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items", "prefixItems",
    "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minItems", "maxItems", "minProperties", "maxProperties", "anyOf", "oneOf", "allOf", "not",
)  # fmt: skip
MOST_STEPS = 20_000
SHOWN_CHARACTERS = 300

Keyword = Callable[[Any, Any, Any, Any], Any]


class TooLaborious(Exception):
    """The schema asks for more work than a call is worth."""


def what_is_wrong(schema: dict[str, Any], arguments: dict[str, Any]) -> str:
    """A sentence for the model; nothing where the arguments fit, or the schema is none that can be used here."""
    try:
        error = next(_complaints(schema, arguments), None)
    except Exception:
        return ""
    if error is None:
        return ""
    where = ".".join(str(step) for step in error.absolute_path)
    named = f"“{where[:100]}”: " if where else ""
    return f"The arguments do not fit the tool. {named}{error.message[:SHOWN_CHARACTERS]}."


def _complaints(schema: dict[str, Any], arguments: dict[str, Any]) -> Iterator[Any]:
    """Imports when it is first needed, as that takes its time."""
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry

    count = _counter()
    known = {name: _counted(Draft202012Validator.VALIDATORS[name], count) for name in KEYWORDS}
    known["additionalProperties"] = _without_patterns(known["additionalProperties"])
    made = validators.create({}, known, type_checker=Draft202012Validator.TYPE_CHECKER)
    complaints: Iterator[Any] = made(schema, registry=Registry()).iter_errors(arguments)
    return complaints


def _counter() -> Callable[[int], None]:
    left = MOST_STEPS

    def count(steps: int) -> None:
        nonlocal left
        left -= steps
        if left < 0:
            raise TooLaborious

    return count


def _counted(keyword: Keyword, count: Callable[[int], None]) -> Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        count(1 + len(value) if isinstance(value, list | dict) else 1)
        yield from keyword(validator, value, instance, schema) or ()

    return counted


def _without_patterns(keyword: Keyword) -> Keyword:
    """Which properties are additional depends on patterns where there are some."""

    def plain(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if "patternProperties" not in schema:
            yield from keyword(validator, value, instance, schema)

    return plain
