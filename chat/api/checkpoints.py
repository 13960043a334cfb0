"""Checkpoints: named points of a conversation that can be restored."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, person, sent
from chat.api.finding import find_conversation
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.conversations import CheckpointShape, NewCheckpoint
from chat.broadcast.announcing import announce
from chat.models import Scope
from sessions_app.models import Checkpoint
from sessions_app.services.checkpoints import take_checkpoint


class Checkpoints(Resource):
    changes = Scope.CONTROL

    @described("List checkpoints", gives=page_of(CheckpointShape), asks=PageAsked)
    def get(self, request: Request, conversation: str) -> Response:
        """Those people took and those that were taken before a move or a summary, the newest first."""
        found, page = find_conversation(request, conversation), asked(request, PageAsked)
        rows = Checkpoint.objects.filter(session__conversation=found).select_related("session", "taken_by")
        return Response(
            paged(
                rows,
                by=("-taken_at", "-pk"),
                shape=CheckpointShape,
                page=page,
            )
        )

    @described("Take a checkpoint", gives=CheckpointShape, sends=NewCheckpoint, status=201)
    def post(self, request: Request, conversation: str) -> Response:
        """Gives the present end of the active session a name; it copies nothing."""
        found, fields = find_conversation(request, conversation), sent(request, NewCheckpoint)
        taken = take_checkpoint(found, by=person(request), name=fields["name"])
        announce(found)
        return Response(CheckpointShape(taken).data, status=201)
