"""Turns: one run of an agent each, looked at, stopped, withdrawn, continued and tried again."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, person
from chat.api.finding import find_turn
from chat.api.messages import turn_ended
from chat.api.schema import described
from chat.api.shapes.messages import TurnShape, Waiting
from chat.broadcast.announcing import announce
from chat.rates import Rate
from sessions_app.errors import Conflict
from sessions_app.models import Message, Turn
from sessions_app.services.ending import stop_turn
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.withdraw import withdraw_turn


class OneTurn(Resource):
    @described("Get a turn", gives=TurnShape, asks=Waiting)
    def get(self, request: Request, public_id: UUID) -> Response:
        """How far the agent is. With `wait` the answer comes when it has ended, or when the time is over."""
        turn, wait = find_turn(request, public_id), asked(request, Waiting)["wait"]
        if turn.is_live and wait:

            async def later() -> object:
                await turn_ended(turn, seconds=wait)
                return await self.finish(lambda: _shown(find_turn(request, public_id)))

            self.later = later  # type: ignore[assignment]
        return _shown(turn)


class Stop(Resource):
    @described("Stop an agent", gives=TurnShape)
    def post(self, request: Request, public_id: UUID) -> Response:
        """Ends the turn and keeps the text so far. Twice is once, and a turn that has ended stays as it is."""
        turn = find_turn(request, public_id)
        stop_turn(turn, by=person(request))
        announce(turn.session.conversation)
        return _shown(find_turn(request, public_id))


class Withdraw(Resource):
    @described("Withdraw a question", gives=TurnShape)
    def post(self, request: Request, public_id: UUID) -> Response:
        """Takes back a message that still waits for its answer; it stays, struck through, and no model sees it."""
        turn = find_turn(request, public_id)
        withdraw_turn(turn, by=person(request))
        announce(turn.session.conversation)
        return _shown(find_turn(request, public_id))


class Continue(Resource):
    rate = Rate.SEND

    @described("Go on with a reply", gives=TurnShape, status=201)
    def post(self, request: Request, public_id: UUID) -> Response:
        """Asks the agent to go on where the last reply broke off. Twice is once."""
        turn = find_turn(request, public_id)
        return _queued(request, continue_reply(_reply_of(turn), by=person(request)), turn)


class Retry(Resource):
    rate = Rate.SEND

    @described("Ask for another version", gives=TurnShape, status=201)
    def post(self, request: Request, public_id: UUID) -> Response:
        """Asks the agent to answer again; the reply there is stays readable. Twice is once."""
        turn = find_turn(request, public_id)
        return _queued(request, regenerate_reply(_reply_of(turn), by=person(request)), turn)


def _reply_of(turn: Turn) -> Message:
    if turn.reply is None:
        raise Conflict("This turn has no reply, so there is nothing to go on with; send the message again.")
    return turn.reply


def _queued(request: Request, queued: Turn, turn: Turn) -> Response:
    announce(turn.session.conversation)
    return Response(TurnShape(find_turn(request, queued.public_id)).data, status=201)


def _shown(turn: Turn) -> Response:
    return Response(TurnShape(turn).data)
