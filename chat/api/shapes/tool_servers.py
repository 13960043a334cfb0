"""Tool servers: what is known of one, and what is sent to add or change one."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.shapes.fields import Id, Text, Truth


class ToolShape(serializers.Serializer[Any]):
    """A tool as its server described it when somebody last looked: `name` is what models call."""

    name = serializers.CharField()
    remote_name = serializers.CharField()
    description = serializers.CharField()
    may_be_repeated = serializers.BooleanField()


class ToolServerShape(serializers.Serializer[Any]):
    """Its address and its key stay on the server."""

    id = Id()
    workspace = serializers.SlugField(source="workspace.slug")
    name = serializers.CharField()
    has_key = serializers.BooleanField()
    trusts_hints = serializers.BooleanField()
    is_active = serializers.BooleanField()
    seen_at = serializers.DateTimeField(allow_null=True)
    tools = ToolShape(many=True)


class LookShape(serializers.Serializer[Any]):
    """What a look has shown; `left_out` says which tools cannot be used, and why."""

    server = ToolServerShape()
    left_out = serializers.ListField(child=serializers.CharField())


class ToolServerChanges(serializers.Serializer[Any]):
    """What is left out stays as it is. A key is written and never shown; an empty one clears it."""

    address = Text(required=False)
    key = Text(required=False)
    trusts_hints = Truth(required=False)
    is_active = Truth(required=False)


class NewToolServer(serializers.Serializer[Any]):
    """Its name begins the names of its tools, and cannot be changed."""

    workspace = Text()
    name = Text()
    address = Text()
    key = Text(required=False)
    trusts_hints = Truth(required=False)
