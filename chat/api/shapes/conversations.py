"""Conversations, their sessions and checkpoints, and what is sent to change them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.api.paging import PageAsked
from chat.api.shapes.fields import Flag, Id, Text
from sessions_app.models import Answers, CheckpointKind, Openness


class ConversationShape(serializers.Serializer[Any]):
    id = Id()
    workspace = serializers.SlugField(source="workspace.slug")
    key = serializers.CharField()
    title = serializers.CharField()
    agent = serializers.SlugField(source="agent.handle", allow_null=True, default=None)
    answers = serializers.ChoiceField(Answers.choices)
    system_prompt = serializers.CharField()
    active_session = serializers.UUIDField(source="active_session.public_id")
    started_at = serializers.DateTimeField()
    touched_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)
    deleted_at = serializers.DateTimeField(allow_null=True)
    openness = serializers.ChoiceField(Openness.choices)


class ConversationsAsked(PageAsked):
    workspace = serializers.CharField(required=False, help_text="only those of this workspace, by its slug")
    agent = serializers.CharField(required=False, help_text="only those this agent answers in, by its handle")
    title = serializers.CharField(
        required=False, max_length=200, help_text="only those with this in the title"
    )
    archived = Flag(required=False, default=False, help_text="those in the archive instead of the others")


class NewConversation(serializers.Serializer[Any]):
    workspace = Text(required=False, help_text="the workspace's slug; needed where you are in several")
    key = Text(required=False, help_text="such as team:general; one is made where it is left out")
    title = Text(required=False)
    agent = Text(required=False, help_text="the agent's handle; the first of the workspace where left out")
    openness = serializers.ChoiceField(
        Openness.choices, required=False, help_text="who can see it: open to the workspace where left out"
    )


class Renaming(serializers.Serializer[Any]):
    title = Text()


class SettingsChange(serializers.Serializer[Any]):
    """What is left out stays as it is."""

    agent = Text(required=False, help_text="the agent's handle")
    system_prompt = Text(required=False)
    answers = serializers.ChoiceField(Answers.choices, required=False)


class SessionShape(serializers.Serializer[Any]):
    id = Id()
    conversation = serializers.UUIDField(source="conversation.public_id")
    number = serializers.IntegerField()
    parent = serializers.UUIDField(source="parent.public_id", allow_null=True, default=None)  # type: ignore[assignment]
    parent_seq = serializers.IntegerField(allow_null=True)
    is_active = serializers.BooleanField()
    messages = serializers.IntegerField(source="message_count")
    last_seq = serializers.IntegerField()
    digest = serializers.CharField(source="head_digest")
    started_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)
    archived_reason = serializers.CharField()


class CheckpointShape(serializers.Serializer[Any]):
    id = Id()
    session = serializers.UUIDField(source="session.public_id")
    seq = serializers.IntegerField()
    digest = serializers.CharField()
    messages = serializers.IntegerField(source="message_count")
    name = serializers.CharField()
    kind = serializers.ChoiceField(CheckpointKind.choices)
    taken_by = serializers.CharField(source="taken_by.name", allow_null=True, default=None)
    taken_at = serializers.DateTimeField()


class NewCheckpoint(serializers.Serializer[Any]):
    name = Text()
