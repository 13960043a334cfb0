"""The workspaces somebody is in, a new one, and the settings of one."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from chat.new_workspaces import open_workspace
from chat.origins import origin_of
from chat.pages.doors import count_one, person, refusal_status, visible_workspace
from chat.pages.home import settings_context, workspaces_context
from chat.rates import Rate
from sessions_app.errors import HoldfastError
from sessions_app.services.workspaces import rename_workspace


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def workspaces(request: HttpRequest) -> HttpResponse:
    """The form makes a new one and leads there; a refusal keeps what was typed."""
    context = workspaces_context(person(request))
    if request.method != "POST":
        return render(request, "chat/workspaces.html", context)
    name = request.POST.get("name", "")
    try:
        count_one(request, Rate.CHANGE)
        made = open_workspace(name, by=person(request), origin=origin_of(request))
    except HoldfastError as error:
        refused = {"problem": str(error), "typed": name}
        return render(request, "chat/workspaces.html", {**context, **refused}, status=refusal_status(error))
    return redirect("workspace", slug=made.slug)


@require_POST
@login_required
def names(request: HttpRequest, slug: str) -> HttpResponse:
    """Renames it; its address stays."""
    workspace, name = visible_workspace(request, slug), request.POST.get("name", "")
    try:
        count_one(request, Rate.CHANGE)
        rename_workspace(workspace, by=person(request), name=name, origin=origin_of(request))
    except HoldfastError as error:
        context = {**settings_context(request, workspace), "problem": str(error), "typed": name}
        return render(request, "chat/workspace_settings.html", context, status=refusal_status(error))
    return redirect("workspace_settings", slug=slug)
