"""Messages and turns, as they are read and as they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers

from chat.api.shapes.fields import Id, Text
from sessions_app.models import Message, MessageRole, Session, TurnState
from sessions_app.services.folding import text_of
from sessions_app.services.history import content_at

LONGEST_WAIT = 60


class SpeakerShape(serializers.Serializer[Any]):
    """Who wrote it: a person or an agent."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class MessageShape(serializers.Serializer[Any]):
    """`parts` is all of it in order: text, reasoning, tool_call, tool_result, error. `text` is the words alone."""

    id = serializers.UUIDField()
    session = serializers.UUIDField()
    role = serializers.ChoiceField(MessageRole.choices)
    author = SpeakerShape()
    text = serializers.CharField()
    parts = serializers.ListField(child=serializers.DictField())
    marks = serializers.ListField(child=serializers.DictField())
    outcome = serializers.DictField(allow_null=True)
    supersedes = serializers.UUIDField(allow_null=True)
    continues = serializers.UUIDField(allow_null=True)
    is_sealed = serializers.BooleanField()
    first_seq = serializers.IntegerField()
    sealed_seq = serializers.IntegerField(allow_null=True)
    digest = serializers.CharField()
    posted_at = serializers.DateTimeField()


def shown_messages(messages: Sequence[Message], session: Session | None = None) -> list[dict[str, Any]]:
    """In the form of MessageShape, made by hand: a page of fifty is what scripts ask for most."""
    named = _public_ids([pk for message in messages for pk in (message.supersedes_id, message.continues_id)])
    sessions = _sessions(messages, session)
    return [_shown(message, sessions[message.session_id], named) for message in messages]


def _shown(message: Message, session: Session, named: dict[int, UUID]) -> dict[str, Any]:
    content = content_at(message, session, session.last_seq) if not message.is_sealed else message.folded
    author = message.author or message.agent
    assert author is not None
    return {
        "id": str(message.public_id),
        "session": str(session.public_id),
        "role": message.role,
        "author": {"id": str(author.public_id), "name": author.name},
        "text": text_of(content),
        **content,
        "supersedes": _named(named, message.supersedes_id),
        "continues": _named(named, message.continues_id),
        "is_sealed": message.is_sealed,
        "first_seq": message.first_seq,
        "sealed_seq": message.sealed_seq,
        "digest": message.digest,
        "posted_at": message.posted_at.isoformat(),
    }


def _public_ids(keys: Sequence[int | None]) -> dict[int, UUID]:
    wanted = {key for key in keys if key is not None}
    return dict(Message.objects.filter(pk__in=wanted).values_list("pk", "public_id")) if wanted else {}


def _named(named: dict[int, UUID], key: int | None) -> str | None:
    return None if key is None else str(named[key])


def _sessions(messages: Sequence[Message], session: Session | None) -> dict[int, Session]:
    """The sessions these messages are of: the one that is read, and those it inherits from."""
    known = {session.pk: session} if session is not None else {}
    others = {message.session_id for message in messages} - known.keys()
    return known | (Session.objects.in_bulk(others) if others else {})


class TurnShape(serializers.Serializer[Any]):
    id = Id()
    session = serializers.UUIDField(source="session.public_id")
    state = serializers.ChoiceField(TurnState.choices)
    reason = serializers.CharField()
    agent = serializers.CharField(source="agent.handle")
    question = serializers.UUIDField(source="question.public_id")
    reply = serializers.UUIDField(source="reply.public_id", allow_null=True, default=None)
    asked_by = serializers.CharField(source="asked_by.name", allow_null=True, default=None)
    queued_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class Waiting(serializers.Serializer[Any]):
    wait = serializers.FloatField(
        required=False,
        default=0,
        min_value=0,
        max_value=LONGEST_WAIT,
        help_text="seconds to wait for what is not there yet",
    )


class NewMessage(serializers.Serializer[Any]):
    text = Text()
    session = serializers.UUIDField(
        required=False, allow_null=True, help_text="the session it is meant for; refused if another is active"
    )


class PostedShape(serializers.Serializer[Any]):
    """`reply` is there where you waited and the agent has finished."""

    message = MessageShape()
    turn = TurnShape(allow_null=True)
    session = serializers.UUIDField()
    seq = serializers.IntegerField()
    is_new = serializers.BooleanField()
    reply = MessageShape(allow_null=True)


class Resending(NewMessage):
    """Another text in the place of a message of one's own; what was said stays in the session before."""


class Forking(serializers.Serializer[Any]):
    session = serializers.UUIDField(required=False, allow_null=True)
    reason = Text(required=False, default="")
