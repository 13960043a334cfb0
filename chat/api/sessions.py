"""Sessions of a conversation, and what was said in each, in pages both ways."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked
from chat.api.finding import find_conversation, find_message, find_session
from chat.api.paging import LARGEST_PAGE, PAGE, PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.conversations import SessionShape
from chat.api.shapes.messages import MessageShape, shown_messages
from sessions_app.errors import Invalid
from sessions_app.models import Message, Session
from sessions_app.services.history import history, is_part_of, later


class Sessions(Resource):
    @described("List a conversation's sessions", gives=page_of(SessionShape), asks=PageAsked)
    def get(self, request: Request, conversation: str) -> Response:
        """Every session it ever had, the newest first; exactly one is active."""
        found, page = find_conversation(request, conversation), asked(request, PageAsked)
        return Response(
            paged(
                found.sessions.select_related("conversation", "parent"),
                by=("-number", "-pk"),
                shape=SessionShape,
                page=page,
            )
        )


class OneSession(Resource):
    @described("Get a session", gives=SessionShape)
    def get(self, request: Request, public_id: UUID) -> Response:
        """A session, active or archived. `last_seq` is where its log ends now."""
        return Response(SessionShape(find_session(request, public_id)).data)


class MessagesAsked(serializers.Serializer[Any]):
    before = serializers.UUIDField(required=False, help_text="messages before this one")
    after = serializers.UUIDField(required=False, help_text="messages after this one")
    limit = serializers.IntegerField(required=False, default=PAGE, min_value=1, max_value=LARGEST_PAGE)


class TranscriptShape(serializers.Serializer[Any]):
    """Messages, oldest first; what is inherited from before a fork is among them. Everything is true at `as_of`:
    follow the session's events after it for the rest."""

    session = serializers.UUIDField()
    as_of = serializers.IntegerField()
    items = MessageShape(many=True)
    before = serializers.UUIDField(
        allow_null=True, help_text="ask with it for the page before; null at the start"
    )
    after = serializers.UUIDField(
        allow_null=True, help_text="ask with it for the page after; null at the end"
    )


class Transcript(Resource):
    is_conditional = True

    @described("Read a session's messages", gives=TranscriptShape, asks=MessagesAsked)
    def get(self, request: Request, public_id: UUID) -> Response:
        """The newest page, or the page before or after a message. A page that did not change since is answered
        with 304 where you send its ETag as If-None-Match."""
        return transcript_page(request, find_session(request, public_id))


class CurrentMessages(Resource):
    """What GET conversations/{id}/messages gives; sending is in messages.py, which extends it."""

    is_conditional = True

    @described("Read what is said now", gives=TranscriptShape, asks=MessagesAsked)
    def get(self, request: Request, conversation: str) -> Response:
        """The messages of the active session, in pages both ways."""
        return transcript_page(request, find_conversation(request, conversation).active_session)


def transcript_page(request: Request, session: Session) -> Response:
    page = asked(request, MessagesAsked)
    if "before" in page and "after" in page:
        raise Invalid("Ask for what is before a message or after one, not for both.")
    shown, has_older, has_newer = _messages(request, session, page)
    return Response(
        {
            "session": session.public_id,
            "as_of": session.last_seq,
            "items": shown_messages(shown, session),
            "before": shown[0].public_id if shown and has_older else None,
            "after": shown[-1].public_id if shown and has_newer else None,
        }
    )


def _messages(request: Request, session: Session, page: dict[str, Any]) -> tuple[list[Message], bool, bool]:
    """The page, and whether there is something before and after it."""
    limit = page["limit"]
    if "after" in page:
        found = later(session, after=_anchor(request, session, page["after"]), limit=limit + 1)
        return found[:limit], True, len(found) > limit
    anchor = _anchor(request, session, page["before"]) if "before" in page else None
    found = history(session, before=anchor, limit=limit + 1, as_of=session.last_seq)
    return found[-limit:], len(found) > limit, anchor is not None


def _anchor(request: Request, session: Session, public_id: UUID) -> Message:
    message = find_message(request, public_id)
    if not is_part_of(session, message):
        raise Invalid("This message is not one of this session's.")
    return message
