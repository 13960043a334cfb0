"""Finds what was said, in every session, among what the caller may see."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, count_one, person, token_of
from chat.api.finding import find_conversation, find_workspace, only_workspace
from chat.api.paging import LARGEST_PAGE
from chat.api.schema import described
from chat.api.shapes.conversations import ConversationShape
from chat.api.shapes.messages import MessageShape, shown_messages
from chat.rates import Rate
from sessions_app.models import Conversation
from sessions_app.services.search import Found, search


class SearchAsked(serializers.Serializer[Any]):
    q = serializers.CharField(max_length=500, help_text="words, and phrases in quotation marks")
    workspace = serializers.CharField(required=False, help_text="only in this workspace, by its slug")
    conversation = serializers.CharField(required=False, help_text="only in this conversation, by id or key")
    cursor = serializers.UUIDField(required=False, help_text="the `next` of the page before")
    limit = serializers.IntegerField(required=False, default=20, min_value=1, max_value=LARGEST_PAGE // 2)


class SegmentShape(serializers.Serializer[Any]):
    """A stretch of the passage; what was looked for is marked."""

    text = serializers.CharField()
    is_match = serializers.BooleanField()


class HitShape(serializers.Serializer[Any]):
    conversation = serializers.UUIDField()
    message = MessageShape()
    passage = SegmentShape(many=True)
    is_archived = serializers.BooleanField()


class SearchShape(serializers.Serializer[Any]):
    """The newest first. Conversations are those whose title matches; they come with the first page."""

    conversations = ConversationShape(many=True)
    items = HitShape(many=True)
    next = serializers.UUIDField(allow_null=True)


class Search(Resource):
    @described("Search", gives=SearchShape, asks=SearchAsked)
    def get(self, request: Request) -> Response:
        """Finds messages of every session, archived ones too, and conversations by their title. Capitals and
        accents make no difference."""
        count_one(request, Rate.SEARCH)
        wanted = asked(request, SearchAsked)
        found = search(
            wanted["q"],
            by=person(request),
            before=str(wanted.get("cursor", "")),
            limit=wanted["limit"],
            **_within(request, wanted),
        )
        return Response(_shown(found))


def _within(request: Request, wanted: dict[str, Any]) -> dict[str, Any]:
    """As narrow as asked for, and never wider than the caller's token."""
    token = token_of(request)
    conversation = wanted.get("conversation") or (token and token.only_conversation)
    if conversation:
        return {"conversation": find_conversation(request, str(conversation))}
    if "workspace" in wanted:
        return {"workspace": find_workspace(request, wanted["workspace"])}
    if token is not None and token.only_workspace:
        return {"workspace": only_workspace(request)}
    return {}


def _shown(found: Found) -> dict[str, Any]:
    messages = shown_messages([hit.message for hit in found.messages])
    keys = [title.conversation.pk for title in found.titles]
    rows = Conversation.objects.filter(pk__in=keys).select_related("workspace", "active_session", "agent")
    return {
        "conversations": ConversationShape(rows.order_by("-touched_at"), many=True).data,
        "items": [
            {
                "conversation": hit.message.conversation.public_id,
                "message": message,
                "passage": SegmentShape(hit.passage, many=True).data,
                "is_archived": hit.is_archived,
            }
            for hit, message in zip(found.messages, messages, strict=True)
        ],
        "next": found.more_before or None,
    }
