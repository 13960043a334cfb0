"""Agents: who answers. Only owners and admins make or change one."""

from __future__ import annotations

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.base import Resource, asked, came_by, person, sent
from chat.api.finding import agents_of, find_agent, find_workspace, workspace_to_add_to
from chat.api.paging import PageAsked, paged
from chat.api.schema import described, page_of
from chat.api.shapes.teams import AgentChanges, AgentShape, NewAgent
from chat.catalogue import CATALOGUE
from chat.models import Scope
from sessions_app.services.agents import change_agent, create_agent


class AgentsAsked(PageAsked):
    workspace = serializers.CharField(required=False, help_text="only those of this workspace, by its slug")


class Agents(Resource):
    changes = Scope.ADMIN

    @described("List agents", gives=page_of(AgentShape), asks=AgentsAsked)
    def get(self, request: Request) -> Response:
        """The agents of your workspaces, also those that no longer work."""
        page, agents = asked(request, AgentsAsked), agents_of(request)
        if "workspace" in page:
            agents = agents.filter(workspace=find_workspace(request, page["workspace"]))
        return Response(
            paged(
                agents,
                by=("created_at", "pk"),
                shape=AgentShape,
                page=page,
            )
        )

    @described("Create an agent", gives=AgentShape, sends=NewAgent, status=201)
    def post(self, request: Request) -> Response:
        """Makes an agent of a workspace you manage. Its key is encrypted and never shown again. A handle that the
        workspace has already is refused with 409, so that trying again makes no second one."""
        fields = sent(request, NewAgent)
        workspace = workspace_to_add_to(request, fields.pop("workspace"))
        agent = create_agent(
            workspace,
            by=person(request),
            catalogue=CATALOGUE,
            origin=came_by(request),
            key=fields.pop("key", ""),
            **fields,
        )
        return Response(AgentShape(agent).data, status=201)


class OneAgent(Resource):
    changes = Scope.ADMIN

    @described("Get an agent", gives=AgentShape)
    def get(self, request: Request, public_id: UUID) -> Response:
        """One agent of your workspaces."""
        return Response(AgentShape(find_agent(request, public_id)).data)

    @described("Change an agent", gives=AgentShape, sends=AgentChanges)
    def patch(self, request: Request, public_id: UUID) -> Response:
        """Changes what you send and leaves the rest; the workspace's audit log says what was changed."""
        agent, fields = find_agent(request, public_id), sent(request, AgentChanges)
        changed = change_agent(
            agent,
            by=person(request),
            catalogue=CATALOGUE,
            origin=came_by(request),
            key=fields.pop("key", None),
            **fields,
        )
        return Response(AgentShape(changed).data)
