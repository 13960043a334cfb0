"""Tool servers: MCP servers that lend their tools to a workspace's agents. Only owners and admins change them."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent
from chat.api.errors import answer_error
from chat.api.finding import find_tool_server, find_workspace, tool_servers_of, workspace_to_add_to
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.tool_servers import LookShape, NewToolServer, ToolServerChanges, ToolServerShape
from chat.catalogue import CATALOGUE
from chat.looking import look_at
from chat.models import Scope
from sessions_app.errors import HoldfastError
from sessions_app.models import ToolServer, User
from sessions_app.services.audit import Origin
from sessions_app.services.tool_servers import change_tool_server, create_tool_server


class ToolServersAsked(PageAsked):
    workspace = serializers.CharField(required=False, help_text="only those of this workspace, by its slug")


class ToolServers(Resource):
    changes = Scope.ADMIN

    @described("List tool servers", gives=page_of(ToolServerShape), asks=ToolServersAsked)
    def get(self, request: Request) -> Response:
        """The tool servers of your workspaces, and their tools as they were last seen."""
        page, servers = asked(request, ToolServersAsked), tool_servers_of(request)
        if "workspace" in page:
            servers = servers.filter(workspace=find_workspace(request, page["workspace"]))
        return Response(paged(servers, by=("created_at", "pk"), shape=ToolServerShape, page=page))

    @described("Add a tool server", gives=ToolServerShape, sends=NewToolServer, status=201)
    def post(self, request: Request) -> Response:
        """Adds a server to a workspace you manage. Nobody asks it yet: look at its tools, then choose it for an
        agent. Its key is encrypted and never shown again."""
        fields = sent(request, NewToolServer)
        workspace = workspace_to_add_to(request, fields.pop("workspace"))
        server = create_tool_server(
            workspace, by=person(request), catalogue=CATALOGUE, origin=came_by(request), **fields
        )
        return Response(ToolServerShape(server).data, status=201)


class OneToolServer(Resource):
    changes = Scope.ADMIN

    @described("Get a tool server", gives=ToolServerShape)
    def get(self, request: Request, public_id: UUID) -> Response:
        """One tool server of your workspaces."""
        return Response(ToolServerShape(find_tool_server(request, public_id)).data)

    @described("Change a tool server", gives=ToolServerShape, sends=ToolServerChanges)
    def patch(self, request: Request, public_id: UUID) -> Response:
        """Changes what you send and leaves the rest; the workspace's audit log says what was changed. One that is
        not active is asked by nobody from the next call on."""
        server, fields = find_tool_server(request, public_id), sent(request, ToolServerChanges)
        changed = change_tool_server(
            server, by=person(request), catalogue=CATALOGUE, origin=came_by(request), **fields
        )
        return Response(ToolServerShape(changed).data)


class Listings(Resource):
    changes = Scope.ADMIN

    @described("Look at a tool server", gives=LookShape, status=201)
    def post(self, request: Request, public_id: UUID) -> Response:
        """Asks the server which tools it has, and notes them: from then on models are told of these. Takes as long
        as the server takes, at most 20 s; where it does not answer as one, its tools stay as they were."""
        server, user, origin = find_tool_server(request, public_id), person(request), came_by(request)
        self.later = lambda: self._look(server, user, origin)
        return Response(status=201)

    async def _look(self, server: ToolServer, user: User, origin: Origin) -> HttpResponseBase:
        try:
            look = await look_at(server, by=user, origin=origin)
        except HoldfastError as error:
            refusal = error
            return await self.finish(lambda: answer_error(refusal, {}))
        return await self.finish(lambda: Response(LookShape(look).data, status=201))
