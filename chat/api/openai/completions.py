"""Chat completions: a question is recorded and answered in a conversation that outlives the connection."""

from __future__ import annotations

from django.http import HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import came_by, person, token_of
from chat.api.event_stream import HEADERS, MEDIA_TYPE, lost_by
from chat.api.finding import conversations_of, find_conversation
from chat.api.openai.agents import find_model
from chat.api.openai.base import Door, error_body
from chat.api.openai.replies import streamed, whole
from chat.api.openai.wishes import Wish, read_wish
from chat.api.standing import Stands, standing_in
from chat.broadcast.announcing import announce
from chat.exchanges import Asked, record_exchange
from chat.rates import Rate
from sessions_app.models import Conversation, Turn

CONVERSATION = "Holdfast-Conversation"


class Completions(Door):
    rate = Rate.SEND
    largest_body = 8 * 1024 * 1024  # clients send the whole history each time

    def post(self, request: Request) -> Response:
        """Going away stops nothing: the agent goes on, and the reply is kept."""
        wish = read_wish(request.data)
        recorded, is_new = record_exchange(
            wish.said, asked=_asked(request, wish), reachable=lambda: conversations_of(request)
        )
        turn = Turn.objects.select_related("session__conversation__workspace", "question").get(pk=recorded.pk)
        if is_new:
            announce(turn.session.conversation)
        stands = standing_in(request, turn.session)
        if wish.streams:
            self.later = lambda: self._stream(turn, wish, stands)
        else:
            self.later = lambda: self._whole(turn, wish, stands)
        return Response()

    async def _stream(self, turn: Turn, wish: Wish, stands: Stands) -> HttpResponseBase:
        chunks = streamed(turn, model=wish.model, with_usage=wish.with_usage, stands=stands)
        headers = {**HEADERS, **_named(turn)}
        return StreamingHttpResponse(chunks, content_type=MEDIA_TYPE, headers=headers)

    async def _whole(self, turn: Turn, wish: Wish, stands: Stands) -> HttpResponseBase:
        status, body = await whole(turn, model=wish.model)
        if (lost := await lost_by(stands)) is not None:
            status, body = 403, error_body(403, "access_lost", lost.sentence)
        headers = _named(turn)
        if status in (409, 502):
            headers["x-should-retry"] = "false"  # the same turn would only be told again
        return await self.finish(lambda: Response(body, status=status, headers=headers))


def _asked(request: Request, wish: Wish) -> Asked:
    named = _named_conversation(request)
    agent = find_model(request, wish.model, workspace=named.workspace_id if named else None)
    retries = request.headers.get("X-Stainless-Retry-Count", "0")
    return Asked(
        by=person(request),
        agent=agent,
        named=named,
        origin=came_by(request),
        key=request.headers.get("Idempotency-Key"),
        is_retry=retries.isdecimal() and int(retries) > 0,
    )


def _named_conversation(request: Request) -> Conversation | None:
    """What the header names; a token that is good for one conversation names it by itself."""
    token, name = token_of(request), request.headers.get(CONVERSATION, "")
    if not name and token is not None and token.only_conversation:
        name = str(token.only_conversation)
    return find_conversation(request, name) if name else None


def _named(turn: Turn) -> dict[str, str]:
    return {
        CONVERSATION: str(turn.session.conversation.public_id),
        "Holdfast-Session": str(turn.session.public_id),
        "Holdfast-Message": str(turn.question.public_id),
        "Holdfast-Turn": str(turn.public_id),
    }
