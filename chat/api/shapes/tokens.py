"""Tokens: what is known of one, and what is sent to make one."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.shapes.fields import Id, Text
from chat.models import Scope
from chat.tokens import MOST_DAYS, USUAL_DAYS


class TokenShape(serializers.Serializer[Any]):
    """`prefix` is how a token begins; the rest of it is known to nobody."""

    id = Id()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scope = serializers.ChoiceField(Scope.choices)
    workspace = serializers.UUIDField(source="only_workspace", allow_null=True)
    conversation = serializers.UUIDField(source="only_conversation", allow_null=True)
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class NewTokenShape(TokenShape):
    """Shown this once."""

    token = serializers.CharField()


class TokenWish(serializers.Serializer[Any]):
    name = Text()
    scope = serializers.ChoiceField(Scope.choices, default=Scope.READ.value)
    days = serializers.IntegerField(
        required=False, allow_null=True, default=USUAL_DAYS, min_value=1, max_value=MOST_DAYS,
        help_text="how long it is good; null is for ever",
    )  # fmt: skip
    workspace = Text(required=False, help_text="good for this workspace only, by its slug")
    conversation = Text(required=False, help_text="good for this conversation only, by its id or key")
