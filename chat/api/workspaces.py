"""Workspaces and their members."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked
from chat.api.finding import find_workspace, members_of, workspaces_of
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.teams import MembershipShape, WorkspaceShape


class Workspaces(Resource):
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


class OneWorkspace(Resource):
    @described("Get a workspace", gives=WorkspaceShape)
    def get(self, request: Request, slug: str) -> Response:
        """One of the workspaces you are in, by its slug."""
        return Response(WorkspaceShape(find_workspace(request, slug)).data)


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
