"""Agents as models: listed, and found by handle, name or id."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Q
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.finding import agents_of, as_uuid
from chat.api.openai.base import Door, Unsupported
from sessions_app.errors import NotFound
from sessions_app.models import Agent


class ModelUnknown(NotFound):
    code = "model_not_found"
    sentence = "None of your agents has this name; GET /v1/models lists them. Nothing was sent."


class Models(Door):
    def get(self, request: Request) -> Response:
        agents = list(agents_of(request).filter(is_active=True).distinct().order_by("pk"))
        counts = Counter(agent.handle for agent in agents)
        return Response({"object": "list", "data": [_shown(agent, counts[agent.handle]) for agent in agents]})


class OneModel(Door):
    def get(self, request: Request, model: str) -> Response:
        return Response(_shown(find_model(request, model), 1) | {"id": model})


def find_model(request: Request, name: str, *, workspace: int | None = None) -> Agent:
    """By `handle`, `workspace/handle`, id or name; what several have must be named with its workspace."""
    if not name.isprintable():
        raise ModelUnknown
    slug, _, handle = name.rpartition("/")
    wanted = Q(handle=name) | Q(name__iexact=name) | Q(workspace__slug=slug, handle=handle)
    if (public_id := as_uuid(name)) is not None:
        wanted |= Q(public_id=public_id)
    found = agents_of(request).filter(wanted, is_active=True).distinct().order_by("pk")
    rows = list(found if workspace is None else found.filter(workspace=workspace))
    rows = [row for row in rows if row.handle == name] or rows
    if not rows:
        raise ModelUnknown
    if len(rows) > 1:
        raise Unsupported("Several of your agents have this name; write workspace/handle.", "model")
    return rows[0]


def _shown(agent: Agent, how_many: int) -> dict[str, Any]:
    name = agent.handle if how_many == 1 else f"{agent.workspace.slug}/{agent.handle}"
    created = int(agent.created_at.timestamp())
    return {"id": name, "object": "model", "created": created, "owned_by": agent.workspace.slug}
