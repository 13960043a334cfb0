"""A workspace's agents: listed, added and changed by those who manage it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat.catalogue import CATALOGUE
from chat.origins import origin_of
from chat.pages.doors import managed_workspace, person
from chat.pages.home import shell_context
from chat.providers.registry import PROVIDERS
from chat.turns.tools import TOOLS
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import AfterInterruption, Agent, Workspace
from sessions_app.services.agent_fields import AgentFields
from sessions_app.services.agents import change_agent, create_agent

TEXTS = (
    "name", "handle", "description", "provider", "model", "address", "system_prompt", "after_interruption",
)  # fmt: skip
NUMBERS = ("context_limit", "most_output_tokens")
MOST_DIGITS = 9


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def agents(request: HttpRequest, slug: str) -> HttpResponse:
    """A refusal keeps what was written, but a key."""
    workspace = managed_workspace(request, slug)
    if request.method != "POST":
        return _list(request, workspace)
    try:
        _add(request, workspace)
    except HoldfastError as error:
        return _list(request, workspace, problem=str(error), filled=_written(request.POST))
    return redirect("agents", slug=slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def agent(request: HttpRequest, slug: str, public_id: UUID) -> HttpResponse:
    workspace = managed_workspace(request, slug)
    found = get_object_or_404(workspace.agents, public_id=public_id)
    if request.method != "POST":
        return _one(request, workspace, found, filled=_saved(found))
    try:
        _change(request, found)
    except HoldfastError as error:
        return _one(request, workspace, found, problem=str(error), filled=_written(request.POST))
    return redirect("agents", slug=slug)


def _add(request: HttpRequest, workspace: Workspace) -> Agent:
    sent = request.POST
    return create_agent(
        workspace,
        by=person(request),
        catalogue=CATALOGUE,
        key=sent.get("key", ""),
        tool_servers=sent.getlist("tool_servers"),
        origin=origin_of(request),
        **_fields(sent),
    )


def _change(request: HttpRequest, found: Agent) -> Agent:
    """A key that is typed replaces the one there is; nothing typed leaves it."""
    sent = request.POST
    return change_agent(
        found,
        by=person(request),
        catalogue=CATALOGUE,
        key=sent.get("key", "") or ("" if "clear_key" in sent else None),
        tool_servers=sent.getlist("tool_servers"),
        origin=origin_of(request),
        **_fields(sent),
    )


def _fields(sent: QueryDict) -> AgentFields:
    """As the services take them; they say what of it cannot be used."""
    fields: Any = {
        **{name: sent.get(name, "") for name in TEXTS},
        **{name: _number(sent.get(name, "")) for name in NUMBERS},
        "can_continue": "can_continue" in sent,
        "is_active": "is_active" in sent,
        "tools": None if "has_every_tool" in sent else sent.getlist("tools"),
    }
    checked: AgentFields = fields
    return checked


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Invalid("Limits are whole numbers of tokens; nothing was changed.")
    return int(text)


def _saved(found: Agent) -> dict[str, Any]:
    """What the form shows of an agent: everything but its key."""
    names = (*TEXTS, *NUMBERS, "can_continue", "is_active")
    return {
        **{name: getattr(found, name) for name in names},
        "has_every_tool": found.tools is None,
        "tools": found.tools or [],
        "tool_servers": found.tool_server_names,
    }


def _written(sent: QueryDict) -> dict[str, Any]:
    """What was typed, to be typed no second time."""
    flags = ("can_continue", "is_active", "has_every_tool")
    return {
        **{name: sent.get(name, "") for name in (*TEXTS, *NUMBERS)},
        **{name: name in sent for name in flags},
        "tools": sent.getlist("tools"),
        "tool_servers": sent.getlist("tool_servers"),
    }


def _list(request: HttpRequest, workspace: Workspace, **more: Any) -> HttpResponse:
    rows = workspace.agents.prefetch_related("tool_servers").order_by("-is_active", "pk")
    context = {**_context(request, workspace), "rows": rows, "filled": _usual(), **more}
    return render(request, "chat/agents.html", context, status=400 if "problem" in more else 200)


def _one(request: HttpRequest, workspace: Workspace, found: Agent, **more: Any) -> HttpResponse:
    context = {**_context(request, workspace), "agent": found, **more}
    return render(request, "chat/agent.html", context, status=400 if "problem" in more else 200)


def _usual() -> dict[str, Any]:
    """What a new agent begins with."""
    plain = Agent()
    numbers = {name: getattr(plain, name) for name in NUMBERS}
    return {
        **numbers,
        "provider": "demo",
        "after_interruption": plain.after_interruption,
        "is_active": True,
        "has_every_tool": True,
    }


def _context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    return {
        **shell_context(request, workspace),
        "providers": PROVIDERS.values(),
        "tools": TOOLS.values(),
        "servers": workspace.tool_servers.order_by("name"),
        "interruptions": AfterInterruption.choices,
    }
