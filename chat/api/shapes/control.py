"""Resets, restores and the audit log."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.paging import PageAsked
from chat.api.shapes.conversations import SessionShape
from chat.api.shapes.fields import Text
from sessions_app.models import Action, AuditEntry, Trigger
from sessions_app.services.audit_export import entry_facts


class MoveShape(serializers.Serializer[Any]):
    """The audit entry of a pointer move: which session was left, and which is active now."""

    number = serializers.IntegerField()
    action = serializers.ChoiceField(Action.choices)
    trigger = serializers.ChoiceField(Trigger.choices)
    at = serializers.DateTimeField()
    actor = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField()
    reason = serializers.CharField()
    old_session = serializers.UUIDField(allow_null=True)
    new_session = serializers.UUIDField(allow_null=True)
    digest = serializers.CharField()

    def to_representation(self, instance: AuditEntry) -> dict[str, Any]:
        facts = entry_facts(instance)
        facts["reason"] = facts["reason"] or ""
        return {name: facts[name] for name in self.fields.keys()}  # noqa: SIM118 - typed as what iterates over values


class EntryShape(MoveShape):
    """`facts` is all that the digest covers, with the digest of the entry before."""

    previous = serializers.CharField()
    idempotency_key = serializers.CharField(allow_null=True)
    facts = serializers.DictField()


class WorkspaceEntryShape(serializers.Serializer[Any]):
    """`about` says whom or what it was done to, in `facts` is all that the digest covers."""

    action = serializers.CharField()
    trigger = serializers.ChoiceField(Trigger.choices)
    at = serializers.DateTimeField()
    actor = serializers.UUIDField(allow_null=True)
    actor_name = serializers.CharField()
    about = serializers.CharField()
    facts = serializers.DictField()

    def to_representation(self, instance: AuditEntry) -> dict[str, Any]:
        facts = entry_facts(instance)
        facts["about"] = instance.told.get("about", "")
        return {name: facts[name] for name in self.fields.keys()}  # noqa: SIM118 - as above


class PreviewShape(serializers.Serializer[Any]):
    """What a reset would archive. Send `confirmation` and the session's id within `good_for_seconds`."""

    key = serializers.CharField()
    title = serializers.CharField()
    session = SessionShape()
    messages = serializers.IntegerField()
    running = serializers.IntegerField()
    waiting = serializers.IntegerField()
    found_in = serializers.CharField()
    confirmation = serializers.CharField()
    good_for_seconds = serializers.IntegerField()


class ResetWish(serializers.Serializer[Any]):
    confirmation = Text(help_text="what the preview gave")
    expected_session = serializers.UUIDField(help_text="the session you want archived")
    reason = Text(required=False, default="")


class RestoreWish(serializers.Serializer[Any]):
    """Either a session that is made active again, or a checkpoint from which a new one goes on."""

    session = serializers.UUIDField(required=False)
    checkpoint = serializers.UUIDField(required=False)
    expected_session = serializers.UUIDField(
        required=False, help_text="the session you think is active; refused if another is"
    )
    reason = Text(required=False, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("session" in attrs) == ("checkpoint" in attrs):
            raise serializers.ValidationError({"session": "Name either a session or a checkpoint."})
        return attrs


class UndoWish(serializers.Serializer[Any]):
    entry = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="the number of the move to undo"
    )


class AuditAsked(PageAsked):
    action = serializers.ChoiceField(Action.choices, required=False)
