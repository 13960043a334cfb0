"""Messages: sent once however often they are retried, waited for, edited and forked from."""

from __future__ import annotations

import time
import uuid
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent
from chat.api.finding import find_conversation, find_message, session_within
from chat.api.schema import KEY, described
from chat.api.sessions import CurrentMessages
from chat.api.shapes.control import MoveShape
from chat.api.shapes.messages import (
    Forking,
    MessageShape,
    NewMessage,
    PostedShape,
    Resending,
    TurnShape,
    Waiting,
    shown_messages,
)
from chat.broadcast.announcing import announce
from chat.broadcast.tail import tail_of
from chat.models import Scope
from chat.rates import Rate
from sessions_app.models import EventKind, Turn
from sessions_app.services.fork import edit_and_resend, fork_before
from sessions_app.services.transcript import Posted, post_message


class Posts(CurrentMessages):
    rate = Rate.SEND

    @described("Send a message", gives=PostedShape, sends=NewMessage, asks=Waiting, status=201, also=[KEY])
    def post(self, request: Request, conversation: str) -> Response:
        """Sends a message; the agent's turn is queued with it. The same Idempotency-Key again gives the same
        message and nothing new; with another text it is refused with 409. With `wait` the answer comes when the
        agent has finished, or when the time is over: then read the turn, or follow the session's events."""
        found, fields = find_conversation(request, conversation), sent(request, NewMessage)
        wait = asked(request, Waiting)["wait"]
        posted = post_message(
            found,
            by=person(request),
            text=fields["text"],
            client_id=client_id(request),
            expected_session=session_within(found, fields.get("session")),
        )
        announce(found)
        turn = posted.turn if posted.is_new else turn_of(posted)
        if turn is not None and turn.is_live and wait:
            self.later = lambda: self._after_waiting(request, posted, turn, wait)
        return Response(shown_post(posted, turn), status=201)

    async def _after_waiting(
        self, request: Request, posted: Posted, turn: Turn, seconds: float
    ) -> HttpResponseBase:
        """Who can no longer see the conversation by then is not told what was answered."""
        await turn_ended(turn, seconds=seconds)

        def shown() -> Response:
            find_message(request, posted.message.public_id)
            return Response(shown_post(posted, turn_of(posted)), status=201)

        return await self.finish(shown)


async def turn_ended(turn: Turn, *, seconds: float) -> bool:
    """Waits until the log says that the turn has ended, but not longer than that."""
    until, wanted = time.monotonic() + seconds, str(turn.public_id)
    with tail_of(turn.session, after=turn.question.first_seq - 1) as tail:
        while (left := until - time.monotonic()) > 0:
            piece = await tail.next(seconds=left)
            for event in piece.events if piece else ():
                if event["kind"] == EventKind.TURN_ENDED and event["payload"]["turn"] == wanted:
                    return True
    return False


def client_id(request: Request) -> str:
    """What the caller says makes two requests the same; one of ours where it does not care."""
    return request.headers.get("Idempotency-Key") or f"rest-{uuid.uuid4().hex}"


def turn_of(posted: Posted) -> Turn | None:
    """The turn that answers, as it is now and with all that is shown of it."""
    if posted.turn is None:
        return None
    return Turn.objects.select_related("session", "agent", "question", "reply", "asked_by").get(
        pk=posted.turn.pk
    )


def shown_post(posted: Posted, turn: Turn | None) -> dict[str, Any]:
    """The reply is there once its turn has ended."""
    message, session = posted.message, posted.message.session
    ended = turn.reply if turn is not None and not turn.is_live else None
    return {
        "message": shown_messages([message], session)[0],
        "turn": TurnShape(turn).data if turn else None,
        "session": session.public_id,
        "seq": message.first_seq,
        "is_new": posted.is_new,
        "reply": shown_messages([ended])[0] if ended else None,
    }


class OneMessage(Resource):
    is_conditional = True

    @described("Get a message", gives=MessageShape)
    def get(self, request: Request, public_id: UUID) -> Response:
        """A message as it is now; one that is not sealed still grows."""
        return Response(shown_messages([find_message(request, public_id)])[0])


class Edits(Resource):
    changes = Scope.CONTROL
    rate = Rate.SEND

    @described("Edit and resend", gives=PostedShape, sends=Resending, status=201, also=[KEY])
    def post(self, request: Request, public_id: UUID) -> Response:
        """Sends another text in the place of a message of yours: a fork becomes the active session, and the
        original stays in the one before."""
        message, fields = find_message(request, public_id), sent(request, Resending)
        posted = edit_and_resend(
            message,
            by=person(request),
            text=fields["text"],
            client_id=client_id(request),
            origin=came_by(request),
            expected_session=session_within(message.conversation, fields.get("session")),
        )
        announce(message.conversation)
        return Response(shown_post(posted, turn_of(posted)), status=201)


class Forks(Resource):
    changes = Scope.CONTROL
    rate = Rate.MOVE

    @described("Fork before a message", gives=MoveShape, sends=Forking, status=201, also=[KEY])
    def post(self, request: Request, public_id: UUID) -> Response:
        """Makes a new session active that ends just before the message; the one before is archived, whole."""
        message, fields = find_message(request, public_id), sent(request, Forking)
        entry = fork_before(
            message,
            by=person(request),
            origin=came_by(request),
            expected_session=session_within(message.conversation, fields.get("session")),
            reason=fields["reason"],
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        announce(message.conversation)
        return Response(MoveShape(entry).data, status=201)
