"""A workspace's tool servers: listed, added, changed and looked at by those who manage it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.catalogue import CATALOGUE
from chat.looking import look_at
from chat.origins import origin_of
from chat.pages.doors import managed_workspace, person
from chat.pages.home import shell_context
from sessions_app.errors import HoldfastError
from sessions_app.models import ToolServer, Workspace
from sessions_app.services.tool_servers import change_tool_server, create_tool_server


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tool_servers(request: HttpRequest, slug: str) -> HttpResponse:
    """What is added is shown next, with the button that tests it; a refusal keeps what was written, but a key."""
    workspace = managed_workspace(request, slug)
    if request.method != "POST":
        return _list(request, workspace)
    try:
        added = _add(request, workspace)
    except HoldfastError as error:
        return _list(request, workspace, problem=str(error), sent=request.POST)
    return redirect("tool_server", slug=slug, public_id=added.public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tool_server(request: HttpRequest, slug: str, public_id: UUID) -> HttpResponse:
    workspace = managed_workspace(request, slug)
    server = _found(workspace, public_id)
    if request.method != "POST":
        return _one(request, workspace, server)
    try:
        _change(request, server)
    except HoldfastError as error:
        return _one(request, workspace, server, problem=str(error), sent=request.POST)
    return redirect("tool_server", slug=slug, public_id=public_id)


@never_cache
@require_POST
@login_required
def listings(request: HttpRequest, slug: str, public_id: UUID) -> HttpResponse:
    """Asks the server now, and shows what it has."""
    workspace = managed_workspace(request, slug)
    server = _found(workspace, public_id)
    try:
        look = async_to_sync(look_at)(server, by=person(request), origin=origin_of(request))
    except HoldfastError as error:
        return _one(request, workspace, server, look_problem=str(error))
    return _one(request, workspace, look.server, look=look)


def _add(request: HttpRequest, workspace: Workspace) -> ToolServer:
    sent = request.POST
    return create_tool_server(
        workspace,
        by=person(request),
        catalogue=CATALOGUE,
        name=sent.get("name", "").strip(),
        address=sent.get("address", ""),
        key=sent.get("key", ""),
        trusts_hints="trusts_hints" in sent,
        origin=origin_of(request),
    )


def _change(request: HttpRequest, server: ToolServer) -> ToolServer:
    """A key that is typed replaces the one there is; nothing typed leaves it."""
    sent = request.POST
    return change_tool_server(
        server,
        by=person(request),
        catalogue=CATALOGUE,
        address=sent.get("address", ""),
        key=sent.get("key", "") or ("" if "clear_key" in sent else None),
        trusts_hints="trusts_hints" in sent,
        is_active="is_active" in sent,
        origin=origin_of(request),
    )


def _found(workspace: Workspace, public_id: UUID) -> ToolServer:
    return get_object_or_404(workspace.tool_servers.select_related("workspace"), public_id=public_id)


def _list(request: HttpRequest, workspace: Workspace, **more: Any) -> HttpResponse:
    servers = workspace.tool_servers.prefetch_related("agents").order_by("-is_active", "name")
    context = {**shell_context(request, workspace), "servers": servers, **more}
    return render(request, "chat/tool_servers.html", context, status=400 if "problem" in more else 200)


def _one(request: HttpRequest, workspace: Workspace, server: ToolServer, **more: Any) -> HttpResponse:
    is_refused = "problem" in more or "look_problem" in more
    context = {**shell_context(request, workspace), "server": server, **more}
    return render(request, "chat/tool_server.html", context, status=400 if is_refused else 200)
