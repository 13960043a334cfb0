"""Invitations: what is known of one, and what is sent to make one."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.shapes.fields import Id, Text
from chat.api.shapes.teams import PersonShape
from sessions_app.models import Role
from sessions_app.models.invitation import INVITED_AS
from sessions_app.services.invitations import MOST_DAYS, MOST_USES, USUAL_DAYS

ROLES = [(role.value, role.label) for role in INVITED_AS]


class InvitationShape(serializers.Serializer[Any]):
    """`invited_by` is null where the operator of the machine made it. Its link is known to nobody."""

    id = Id()
    workspace = serializers.SlugField(source="workspace.slug")
    role = serializers.ChoiceField(ROLES)
    email = serializers.CharField()
    most_uses = serializers.IntegerField(allow_null=True)
    uses = serializers.IntegerField()
    invited_by = PersonShape(allow_null=True)
    invited_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class NewInvitationShape(InvitationShape):
    """Shown this once."""

    link = serializers.URLField()
    was_sent = serializers.BooleanField(help_text="whether the mail was handed to the mail server")


class InvitationWish(serializers.Serializer[Any]):
    role = serializers.ChoiceField(ROLES, default=Role.MEMBER.value)
    days = serializers.IntegerField(default=USUAL_DAYS, min_value=1, max_value=MOST_DAYS)
    email = Text(required=False, default="", help_text="send it there; lets in only whose account has it")
    uses = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MOST_USES,
        help_text="how many people it lets in; null is any number",
    )  # fmt: skip
