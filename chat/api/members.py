"""Members of a workspace: roles changed, people removed, a workspace left or handed over."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, came_by, person, sent
from chat.api.finding import find_member, workspace_to_add_to
from chat.api.schema import described
from chat.api.shapes.teams import Handover, MembershipShape, RoleChange
from chat.broadcast.announcing import announce_access
from chat.models import Scope
from sessions_app.services.members import change_role, hand_over_ownership, leave_workspace, remove_member


class OneMember(Resource):
    changes = Scope.ADMIN

    @described("Get a member", gives=MembershipShape)
    def get(self, request: Request, slug: str, person_id: UUID) -> Response:
        """Somebody in one of your workspaces, by their id."""
        return Response(MembershipShape(find_member(request, slug, person_id)).data)

    @described("Change a member's role", gives=MembershipShape, sends=RoleChange)
    def patch(self, request: Request, slug: str, person_id: UUID) -> Response:
        """For owners and admins; only owners make and demote owners, and the last one stays."""
        workspace_to_add_to(request, slug)
        member, role = find_member(request, slug, person_id), sent(request, RoleChange)["role"]
        changed = change_role(member, to=role, by=person(request), origin=came_by(request))
        announce_access(changed.workspace)
        return Response(MembershipShape(changed).data)

    @described("Remove a member", gives=None, status=204)
    def delete(self, request: Request, slug: str, person_id: UUID) -> Response:
        """They see nothing of the workspace from now on, and earlier invitations do not let them in again. What
        they wrote stays."""
        workspace = workspace_to_add_to(request, slug)
        remove_member(find_member(request, slug, person_id), by=person(request), origin=came_by(request))
        announce_access(workspace)
        return Response(status=204)


class OwnMembership(Resource):
    changes = Scope.ADMIN

    @described("Get your own membership", gives=MembershipShape)
    def get(self, request: Request, slug: str) -> Response:
        """Your place in a workspace."""
        return Response(MembershipShape(find_member(request, slug, person(request).public_id)).data)

    @described("Leave a workspace", gives=None, status=204)
    def delete(self, request: Request, slug: str) -> Response:
        """You see nothing of it from now on. Its last owner hands it over first."""
        workspace = workspace_to_add_to(request, slug)
        leave_workspace(workspace, by=person(request), origin=came_by(request))
        announce_access(workspace)
        return Response(status=204)


class Ownership(Resource):
    changes = Scope.ADMIN

    @described("Hand a workspace over", gives=MembershipShape, sends=Handover)
    def put(self, request: Request, slug: str) -> Response:
        """Somebody who is in the workspace owns it from now on, in your place, and you are an admin of it."""
        workspace, wish = workspace_to_add_to(request, slug), sent(request, Handover)
        heir = find_member(request, slug, wish["person"])
        given = hand_over_ownership(workspace, by=person(request), to=heir.user, origin=came_by(request))
        announce_access(workspace)
        return Response(MembershipShape(given).data)
