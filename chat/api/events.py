"""A session's log from any number on: as a page, as a long poll, and as a stream of Server-Sent Events."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked
from chat.api.event_stream import HEADERS, MEDIA_TYPE, Until, event_stream
from chat.api.finding import find_session, find_turn
from chat.api.schema import described
from chat.api.shapes.messages import Waiting
from chat.api.standing import standing_in
from chat.broadcast.tail import tail_of
from sessions_app.errors import Invalid
from sessions_app.models import EventKind, Session, Turn
from sessions_app.services.log import PAGE, read_log

MOST_SEQ = 2**63 - 1


class EventsAsked(Waiting):
    after = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MOST_SEQ)
    limit = serializers.IntegerField(required=False, default=PAGE, min_value=1, max_value=PAGE)
    until_turn = serializers.UUIDField(
        required=False, help_text="a stream ends by itself when this turn has ended"
    )


class EventShape(serializers.Serializer[Any]):
    """docs/architecture.md lists the kinds and what each carries; pass over a kind you do not know."""

    seq = serializers.IntegerField()
    kind = serializers.ChoiceField(EventKind.choices)
    message = serializers.UUIDField(source="message.public_id", allow_null=True, default=None)
    at = serializers.DateTimeField()
    payload = serializers.DictField(source="content")


class EventsShape(serializers.Serializer[Any]):
    """Ask again with `after` = `last`. `as_of` is where the log ended when it was asked."""

    session = serializers.UUIDField()
    last = serializers.IntegerField()
    as_of = serializers.IntegerField()
    items = EventShape(many=True)


LAST_EVENT_ID = OpenApiParameter(
    "Last-Event-ID",
    int,
    OpenApiParameter.HEADER,
    description="the last id a stream gave; counts instead of `after`",
)


class Events(Resource):
    @described("Follow a session", gives=EventsShape, asks=EventsAsked, also=[LAST_EVENT_ID])
    def get(self, request: Request, public_id: UUID) -> Response:
        """What follows `after`, in order and without a hole. With `wait` an empty page waits for the first event.
        With `Accept: text/event-stream` the answer is a stream of Server-Sent Events that goes on until you leave:
        the id of each is its seq, and after a cut you go on with the header Last-Event-ID. A stream ends by itself
        with `until_turn`, and after 4 MiB; come back in the same way."""
        page = asked(request, EventsAsked)
        turn = find_turn(request, page["until_turn"]) if "until_turn" in page else None
        session = find_session(request, public_id)
        page["after"] = _cursor(request, page["after"])
        if MEDIA_TYPE in request.headers.get("Accept", ""):
            stands = standing_in(request, session)
            until = Until.the_end_of(_of(session, turn), session) if turn is not None else None
            self.later = lambda: self._stream(session, page["after"], stands, until)
            return Response()
        if page["after"] >= session.last_seq and page["wait"]:
            self.later = lambda: self._poll(request, session, page)
            return Response()
        return Response(_page(session, page))

    async def _stream(
        self, session: Session, after: int, stands: Any, until: Until | None
    ) -> HttpResponseBase:
        events = event_stream(session, after=after, stands=stands, until=until)
        return StreamingHttpResponse(events, content_type=MEDIA_TYPE, headers=HEADERS)

    async def _poll(self, request: Request, session: Session, page: dict[str, Any]) -> HttpResponseBase:
        with tail_of(session, after=page["after"]) as tail:
            await tail.next(seconds=page["wait"])
        return await self.finish(lambda: Response(_page(find_session(request, session.public_id), page)))


def _of(session: Session, turn: Turn) -> Turn:
    if turn.session_id != session.pk:
        raise Invalid("This turn is not one of this session's.")
    return turn


def _cursor(request: Request, after: int) -> int:
    told = request.headers.get("Last-Event-ID", "")
    if not told:
        return after
    if not (told.isascii() and told.isdigit() and int(told) <= MOST_SEQ):
        raise Invalid("“Last-Event-ID” must be the number of an event.")
    return int(told)


def _page(session: Session, page: dict[str, Any]) -> dict[str, Any]:
    found = read_log(session, after=page["after"], limit=page["limit"])
    return {
        "session": session.public_id,
        "last": found[-1].seq if found else page["after"],
        "as_of": max(session.last_seq, found[-1].seq if found else 0),
        "items": EventShape(found, many=True).data,
    }
