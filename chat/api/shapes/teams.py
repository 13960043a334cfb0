"""People, workspaces and agents."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.shapes.fields import Id, Text, Truth
from sessions_app.models import Role


class PersonShape(serializers.Serializer[Any]):
    id = Id()
    username = serializers.CharField()
    name = serializers.CharField()


class WorkspaceShape(serializers.Serializer[Any]):
    id = Id()
    slug = serializers.CharField()
    name = serializers.CharField()


class WorkspaceName(serializers.Serializer[Any]):
    name = Text()


class MembershipShape(serializers.Serializer[Any]):
    """Somebody's place in a workspace."""

    workspace = serializers.SlugField(source="workspace.slug")
    person = PersonShape(source="user")
    role = serializers.ChoiceField(Role.choices)
    joined_at = serializers.DateTimeField()


class RoleChange(serializers.Serializer[Any]):
    role = serializers.ChoiceField(Role.choices)


class Handover(serializers.Serializer[Any]):
    person = serializers.UUIDField(help_text="who owns it from now on: the id of somebody in the workspace")


class OwnMembershipShape(serializers.Serializer[Any]):
    workspace = WorkspaceShape()
    role = serializers.ChoiceField(Role.choices)


class AgentShape(serializers.Serializer[Any]):
    """Its address and its key stay on the server."""

    id = Id()
    workspace = serializers.SlugField(source="workspace.slug")
    name = serializers.CharField()
    handle = serializers.CharField()
    description = serializers.CharField()
    provider = serializers.CharField()
    model = serializers.CharField()
    system_prompt = serializers.CharField()
    context_limit = serializers.IntegerField()
    most_output_tokens = serializers.IntegerField()
    can_continue = serializers.BooleanField()
    tools = serializers.ListField(child=serializers.CharField(), allow_null=True)
    tool_servers = serializers.ListField(child=serializers.CharField(), source="tool_server_names")
    has_key = serializers.BooleanField()
    is_active = serializers.BooleanField()


class AgentChanges(serializers.Serializer[Any]):
    """What is left out stays as it is. A key is written and never shown; an empty one clears it."""

    name = Text(required=False)
    handle = Text(required=False)
    description = Text(required=False)
    provider = Text(required=False)
    model = Text(required=False)
    address = Text(required=False)
    key = Text(required=False)
    system_prompt = Text(required=False)
    context_limit = serializers.IntegerField(required=False, min_value=256, max_value=10_000_000)
    most_output_tokens = serializers.IntegerField(required=False, min_value=1, max_value=1_000_000)
    can_continue = Truth(required=False)
    is_active = Truth(required=False)
    tools = serializers.ListField(child=Text(), required=False, allow_null=True, max_length=100)
    tool_servers = serializers.ListField(child=Text(), required=False, max_length=100)


class NewAgent(AgentChanges):
    workspace = Text()
    name = Text()
    handle = Text()
    provider = Text()
