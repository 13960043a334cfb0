"""Summaries on request: from then on the agent is sent the summary, and people go on reading every word."""

from __future__ import annotations

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, person
from chat.api.errors import answer_error
from chat.api.finding import find_conversation
from chat.api.schema import described
from chat.broadcast.announcing import announce
from chat.rates import Rate
from chat.turns.compaction import compact_on_request
from sessions_app.errors import HoldfastError
from sessions_app.models import Conversation, User


class Compactions(Resource):
    rate = Rate.SEND

    @described("Sum up", gives=None, status=204)
    def post(self, request: Request, conversation: str) -> Response:
        """Has the agent sum up what was said so far; takes as long as the agent takes. A checkpoint is taken just
        before, and restoring it gives the agent the full context back."""
        found, user = find_conversation(request, conversation), person(request)
        self.later = lambda: self._compact(found, user)
        return Response(status=204)

    async def _compact(self, conversation: Conversation, user: User) -> HttpResponseBase:
        try:
            await compact_on_request(conversation, by=user)
        except HoldfastError as error:
            refusal = error
            return await self.finish(lambda: answer_error(refusal, {}))
        announce(conversation)
        return await self.finish(lambda: Response(status=204))
