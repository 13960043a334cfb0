"""What moves a conversation's pointer: resets in two steps, restores and undos; all of it can be undone."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, came_by, person, sent
from chat.api.finding import find_checkpoint, find_conversation, session_within
from chat.api.schema import KEY, described
from chat.api.shapes.control import (
    MoveShape,
    PreviewShape,
    ResetWish,
    RestoreWish,
    UndoWish,
)
from chat.broadcast.announcing import announce
from chat.models import Scope
from chat.rates import Rate
from sessions_app.errors import NotFound
from sessions_app.models import AuditEntry, Conversation
from sessions_app.services.confirmed_reset import reset_as_confirmed, what_would_be_archived
from sessions_app.services.restore import restore_checkpoint, restore_session, undo_move


class ResetPreview(Resource):
    @described("Look at what a reset would archive", gives=PreviewShape)
    def get(self, request: Request, conversation: str) -> Response:
        """The first of two steps, which changes nothing. The confirmation is for you, for this session, and good
        for five minutes."""
        found = find_conversation(request, conversation)
        preview = what_would_be_archived(found, by=person(request))
        preview.session.conversation = found
        return Response(PreviewShape(preview).data)


class Resets(Resource):
    changes = Scope.CONTROL
    rate = Rate.MOVE

    @described("Start a new session", gives=MoveShape, sends=ResetWish, status=201)
    def post(self, request: Request, conversation: str) -> Response:
        """The second step: archives exactly the session that was looked at, whole, and begins a new one. The
        same confirmation again changes nothing and gives the same entry."""
        found, fields = find_conversation(request, conversation), sent(request, ResetWish)
        entry = reset_as_confirmed(
            found,
            by=person(request),
            confirmation=fields["confirmation"],
            origin=came_by(request),
            expected_session=session_within(found, fields["expected_session"]),
            reason=fields["reason"],
        )
        return _moved(found, entry)


class Restores(Resource):
    changes = Scope.CONTROL
    rate = Rate.MOVE

    @described("Bring history back", gives=MoveShape, sends=RestoreWish, status=201, also=[KEY])
    def post(self, request: Request, conversation: str) -> Response:
        """Makes an archived session active again, or goes on from a checkpoint in a new one. The session that is
        active now is archived, so that this can be undone too."""
        found, fields = find_conversation(request, conversation), sent(request, RestoreWish)
        how = {
            "by": person(request),
            "origin": came_by(request),
            "expected_session": session_within(found, fields.get("expected_session")),
            "reason": fields["reason"],
            "idempotency_key": request.headers.get("Idempotency-Key"),
        }
        if "checkpoint" in fields:
            entry = restore_checkpoint(find_checkpoint(found, fields["checkpoint"]), **how)
        else:
            session = session_within(found, fields["session"])
            assert session is not None
            entry = restore_session(session, **how)
        return _moved(found, entry)


class Undos(Resource):
    changes = Scope.CONTROL
    rate = Rate.MOVE

    @described("Undo the last move", gives=MoveShape, sends=UndoWish, status=201, also=[KEY])
    def post(self, request: Request, conversation: str) -> Response:
        """Takes one move back, as long as it is the newest; an undo can be undone too."""
        found, fields = find_conversation(request, conversation), sent(request, UndoWish)
        entry = AuditEntry.objects.filter(conversation_id=found.pk, number=fields["entry"]).first()
        if entry is None:
            raise NotFound("This conversation has no such move; nothing was changed.")
        undone = undo_move(
            found,
            entry=entry,
            by=person(request),
            origin=came_by(request),
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        return _moved(found, undone)


def _moved(conversation: Conversation, entry: AuditEntry) -> Response:
    announce(conversation)
    return Response(MoveShape(entry).data, status=201)
