"""Reads a function's typed signature: as JSON Schema for the model, and as checks of what the model sends."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

SCHEMA_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
SPOKEN_TYPES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True)
class Hint:
    """What a parameter is for, and its limits: of a text its length, of a number its value."""

    description: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: type
    hint: Hint
    is_required: bool


class WrongArguments(Exception):
    """The model called a tool with arguments that do not fit; the text tells it what to change."""


def parameters_of(function: Callable[..., str]) -> tuple[Parameter, ...]:
    """All but the first, which is the context. Each is written `name: Annotated[kind, Hint(…)]`."""
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return tuple(_parameter(parameter, get_args(hints[parameter.name])) for parameter in parameters)


def _parameter(parameter: inspect.Parameter, annotation: tuple[Any, ...]) -> Parameter:
    kind, hint = annotation
    return Parameter(parameter.name, kind, hint, is_required=parameter.default is inspect.Parameter.empty)


def schema_of(parameters: Sequence[Parameter]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter) for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.is_required],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, object]:
    hint = parameter.hint
    least, most = ("minLength", "maxLength") if parameter.kind is str else ("minimum", "maximum")
    limits = {name: value for name, value in ((least, hint.least), (most, hint.most)) if value is not None}
    return {"type": SCHEMA_TYPES[parameter.kind], "description": hint.description, **limits}


def arguments_for(parameters: Sequence[Parameter], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the function takes them; refused with a sentence that names the first one that is wrong."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise WrongArguments(
                f"There is no parameter “{str(name)[:60]}”; there is {', '.join(known) or 'none'}."
            )
    for parameter in parameters:
        if parameter.is_required and given.get(parameter.name) is None:
            raise WrongArguments(f"“{parameter.name}” is missing: {SPOKEN_TYPES[parameter.kind]} is needed.")
    # Models write null for what they leave out.
    return {name: _checked(known[name], value) for name, value in given.items() if value is not None}


def _checked(parameter: Parameter, value: Any) -> Any:
    value = _as_kind(parameter, value)
    size = len(value) if parameter.kind is str else value
    least, most = parameter.hint.least, parameter.hint.most
    if (least is not None and size < least) or (most is not None and size > most):
        noun = "characters" if parameter.kind is str else "as its value"
        raise WrongArguments(f"“{parameter.name}” must have {_range(least, most)} {noun}.")
    return value


def _as_kind(parameter: Parameter, value: Any) -> Any:
    """The value if it is of the kind; 3.0 counts as a whole number, and a boolean never counts as one."""
    if parameter.kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if parameter.kind is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, parameter.kind) or (parameter.kind is int and isinstance(value, bool)):
        raise WrongArguments(f"“{parameter.name}” must be {SPOKEN_TYPES[parameter.kind]}.")
    return value


def _range(least: int | None, most: int | None) -> str:
    if least is None:
        return f"at most {most:,}"
    return f"at least {least:,}" if most is None else f"{least:,} to {most:,}"
