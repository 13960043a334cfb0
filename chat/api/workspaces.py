"""Workspaces and their members."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent, token_of
from chat.api.errors import OutOfScope
from chat.api.finding import find_workspace, members_of, workspace_to_add_to, workspaces_of
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.teams import MembershipShape, WorkspaceName, WorkspaceShape
from chat.models import Scope
from chat.new_workspaces import open_workspace
from sessions_app.services.workspaces import rename_workspace


class Workspaces(Resource):
    changes = Scope.ADMIN

    @described("List workspaces", gives=page_of(WorkspaceShape), asks=PageAsked)
    def get(self, request: Request) -> Response:
        """The workspaces you are in, in the order of their slugs."""
        page = asked(request, PageAsked)
        return Response(
            paged(
                workspaces_of(request).distinct(),
                by=("slug", "pk"),
                shape=WorkspaceShape,
                page=page,
            )
        )

    @described("Create a workspace", gives=WorkspaceShape, sends=WorkspaceName, status=201)
    def post(self, request: Request) -> Response:
        """Makes a workspace that you own, with the built-in demo agent in it. Where the site lets only its staff
        create workspaces others are refused."""
        token, name = token_of(request), sent(request, WorkspaceName)["name"]
        if token is not None and (token.only_workspace or token.only_conversation):
            raise OutOfScope
        made = open_workspace(name, by=person(request), origin=came_by(request))
        return Response(WorkspaceShape(made).data, status=201)


class OneWorkspace(Resource):
    changes = Scope.ADMIN

    @described("Get a workspace", gives=WorkspaceShape)
    def get(self, request: Request, slug: str) -> Response:
        """One of the workspaces you are in, by its slug."""
        return Response(WorkspaceShape(find_workspace(request, slug)).data)

    @described("Rename a workspace", gives=WorkspaceShape, sends=WorkspaceName)
    def patch(self, request: Request, slug: str) -> Response:
        """For its owners and admins. Its slug stays, and with it every address."""
        workspace, name = workspace_to_add_to(request, slug), sent(request, WorkspaceName)["name"]
        renamed = rename_workspace(workspace, by=person(request), name=name, origin=came_by(request))
        return Response(WorkspaceShape(renamed).data)


class MembersAsked(PageAsked):
    workspace = serializers.CharField(required=False, help_text="only those of this workspace, by its slug")


class Members(Resource):
    @described("List members", gives=page_of(MembershipShape), asks=MembersAsked)
    def get(self, request: Request) -> Response:
        """Everybody you share a workspace with, and their roles."""
        page, members = asked(request, MembersAsked), members_of(request)
        if "workspace" in page:
            members = members.filter(workspace=find_workspace(request, page["workspace"]))
        return Response(
            paged(
                members,
                by=("user__username", "pk"),
                shape=MembershipShape,
                page=page,
            )
        )
