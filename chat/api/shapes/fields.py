"""Fields that several shapes use."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field({"type": "string"})
class Text(serializers.Field[str, str, str, Any]):
    """Any text at all, blanks kept: services say what may be in it, and replace what cannot be stored."""

    default_error_messages = {"not_text": "This must be a text."}  # noqa: RUF012 - the library's convention

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_text")
        return data

    def to_representation(self, value: str) -> str:
        return value


class Id(serializers.UUIDField):
    """The public id of the row itself."""

    def __init__(self, **options: Any) -> None:
        super().__init__(source="public_id", **options)


class Flag(serializers.BooleanField):
    """true or false behind the question mark."""

    TRUE_VALUES = {True, "true", "1"}  # noqa: RUF012
    FALSE_VALUES = {False, "false", "0"}  # noqa: RUF012
    NULL_VALUES: set[Any] = set()  # noqa: RUF012


class Truth(serializers.BooleanField):
    """true or false in a JSON body, and nothing that looks like it: not 1, not "true"."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data
