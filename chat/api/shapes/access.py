"""Who can see a conversation, and what is sent to change it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.shapes.teams import PersonShape
from sessions_app.models import Level, Openness, Role


class ParticipantShape(serializers.Serializer[Any]):
    """`level` is how far somebody reaches, `named` what they are named to, `role` their role in the workspace."""

    person = PersonShape(source="user")
    level = serializers.ChoiceField(Level.choices, allow_null=True)
    role = serializers.ChoiceField(Role.choices, allow_null=True)
    named = serializers.ChoiceField(Level.choices, allow_null=True)
    started_it = serializers.BooleanField(source="is_starter")


class AccessShape(serializers.Serializer[Any]):
    """`level` is your own, and null for an operator; `may_share` says whether you may change any of it."""

    openness = serializers.ChoiceField(Openness.choices)
    level = serializers.ChoiceField(Level.choices, allow_null=True)
    may_share = serializers.BooleanField()
    people = ParticipantShape(many=True)


class OpennessChange(serializers.Serializer[Any]):
    openness = serializers.ChoiceField(Openness.choices)


class Naming(serializers.Serializer[Any]):
    level = serializers.ChoiceField(Level.choices)
