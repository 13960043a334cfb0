"""Who can see a conversation: its openness, and the people named in it."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, came_by, person, sent
from chat.api.finding import find_conversation
from chat.api.schema import described
from chat.api.shapes.access import AccessShape, Naming, OpennessChange
from chat.broadcast.announcing import announce, announce_access
from chat.models import Scope
from sessions_app.errors import NotFound
from sessions_app.models import Conversation, User
from sessions_app.services.access import Act, allows, standing_in
from sessions_app.services.audience import audience, people_near
from sessions_app.services.sharing import change_openness, grant_access, revoke_access


class Access(Resource):
    changes = Scope.CONTROL

    @described("Who can see a conversation", gives=AccessShape)
    def get(self, request: Request, conversation: str) -> Response:
        """Everybody who can see it, how far each reaches, and why. `level` is null for somebody who is named and
        no longer in the workspace: they see nothing, and would again on the day they come back."""
        return _shown(request, find_conversation(request, conversation))

    @described("Open or close a conversation", gives=AccessShape, sends=OpennessChange)
    def patch(self, request: Request, conversation: str) -> Response:
        """Open to the workspace, restricted to named people and those who manage the workspace, or private. Who
        makes it private, and who started it, stay in it. Twice is once."""
        found, fields = find_conversation(request, conversation), sent(request, OpennessChange)
        changed = change_openness(
            found, by=person(request), openness=fields["openness"], origin=came_by(request)
        )
        _tell(found)
        return _shown(request, changed)


class PersonAccess(Resource):
    changes = Scope.CONTROL

    @described("Name somebody in a conversation", gives=AccessShape, sends=Naming)
    def put(self, request: Request, conversation: str, person_id: UUID) -> Response:
        """Lets a member of the workspace view, write or control it; in an open conversation this can only lower
        what their role allows. Twice is once."""
        found, fields = find_conversation(request, conversation), sent(request, Naming)
        to = _find_person(found, person_id)
        grant_access(found, by=person(request), to=to, level=fields["level"], origin=came_by(request))
        _tell(found)
        return _shown(request, found)

    @described("Take somebody out of a conversation", gives=None, status=204)
    def delete(self, request: Request, conversation: str, person_id: UUID) -> Response:
        """They are no longer named. You may take yourself out of what is closed, unless nobody else may control
        it. Twice is once."""
        found = find_conversation(request, conversation)
        of = _find_person(found, person_id)
        revoke_access(found, by=person(request), of=of, origin=came_by(request))
        _tell(found)
        return Response(status=204)


def _find_person(conversation: Conversation, public_id: UUID) -> User:
    found = people_near(conversation).filter(public_id=public_id).first()
    if found is None:
        raise NotFound("This workspace has nobody by this id; nothing was changed.")
    return found


def _tell(conversation: Conversation) -> None:
    announce(conversation)
    announce_access(conversation.workspace)


def _shown(request: Request, conversation: Conversation) -> Response:
    """As it is now, and as the caller stands to it."""
    now = Conversation.objects.get(pk=conversation.pk)
    mine = standing_in(person(request), now)
    told = {
        "openness": now.openness,
        "level": mine.level,
        "may_share": allows(mine, Act.SHARE),
        "people": audience(now),
    }
    return Response(AccessShape(told).data)
