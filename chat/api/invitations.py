"""Invitations to a workspace: listed, made and revoked by those who manage its members."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent
from chat.api.finding import find_invitation, find_workspace, workspace_to_add_to
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.invitations import InvitationShape, InvitationWish, NewInvitationShape
from chat.invitation_links import invitation_link, send_invitation
from chat.models import Scope
from chat.rates import Rate
from sessions_app.services.invitations import invite, pending_invitations, revoke_invitation


class Invitations(Resource):
    changes = Scope.ADMIN
    rate = Rate.INVITE

    @described("List invitations", gives=page_of(InvitationShape), asks=PageAsked)
    def get(self, request: Request, slug: str) -> Response:
        """Those that can still be used, the newest first; for owners and admins."""
        rows = pending_invitations(find_workspace(request, slug), by=person(request))
        page = asked(request, PageAsked)
        return Response(paged(rows, by=("-invited_at", "-pk"), shape=InvitationShape, page=page))

    @described("Invite somebody", gives=NewInvitationShape, sends=InvitationWish, status=201)
    def post(self, request: Request, slug: str) -> Response:
        """Makes an invitation. Its link is shown in this answer and never again; with an e-mail address it is
        sent there too, and lets in only the person whose account has this address."""
        workspace, wish = workspace_to_add_to(request, slug), sent(request, InvitationWish)
        made, token = invite(workspace, by=person(request), origin=came_by(request), **wish)
        link = invitation_link(request._request, token)  # noqa: SLF001 - the library's own request is not one
        was_sent = bool(made.email) and send_invitation(made, link)
        return Response({**InvitationShape(made).data, "link": link, "was_sent": was_sent}, status=201)


class OneInvitation(Resource):
    changes = Scope.ADMIN

    @described("Revoke an invitation", gives=None, status=204)
    def delete(self, request: Request, slug: str, public_id: UUID) -> Response:
        """From now on it lets nobody in; who came by it stays."""
        workspace_to_add_to(request, slug)
        found = find_invitation(request, slug, public_id)
        revoke_invitation(found, by=person(request), origin=came_by(request))
        return Response(status=204)
