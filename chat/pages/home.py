"""A workspace's home: its conversations, a place to start one, and its settings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from chat.pages.doors import asks, count_one, person, refusal_status, told_to_wait, visible_workspace
from chat.pages.joining import KEPT
from chat.pages.transcript import tint_of
from chat.rates import Rate
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import Agent, Conversation, Membership, Message, Openness, User, Workspace
from sessions_app.services.access import Act, may_in_workspace, role_in
from sessions_app.services.conversation_list import LISTED, listed_conversations
from sessions_app.services.conversations import start_conversation
from sessions_app.services.transcript import checked_text, post_message
from sessions_app.services.workspaces import NAME_LENGTH, may_create

MOST_LISTED = 5_000


@require_safe
@login_required
def index(request: HttpRequest) -> HttpResponse:
    """The first workspace of somebody who is in one."""
    workspace = Workspace.objects.visible_to(person(request)).order_by("name", "pk").first()
    if workspace is None:
        return _without_workspace(request)
    return render(request, "chat/home.html", home_context(request, workspace))


def _without_workspace(request: HttpRequest) -> HttpResponse:
    """Back to the invitation one came by, or to where one makes a workspace."""
    if KEPT in request.session:
        return redirect("kept_invitation")
    return render(request, "chat/workspaces.html", workspaces_context(person(request)))


@require_safe
@login_required
def workspace_home(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "chat/home.html", home_context(request, visible_workspace(request, slug)))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_conversation(request: HttpRequest, slug: str) -> HttpResponse:
    """Starts a conversation, with its first message where there is one; a refusal keeps what was written."""
    workspace = visible_workspace(request, slug)
    context = {**home_context(request, workspace), "is_start": True}
    if request.method != "POST":
        return render(request, "chat/home.html", context)
    try:
        started = _start(request, workspace)
    except HoldfastError as error:
        written = {"problem": str(error), "written": request.POST.get("text", "")}
        page = render(request, "chat/home.html", {**context, **written}, status=refusal_status(error))
        return told_to_wait(page, error)
    return redirect("conversation", public_id=started.public_id)


def _start(request: HttpRequest, workspace: Workspace) -> Conversation:
    count_one(request, Rate.CHANGE)
    user, text = person(request), request.POST.get("text", "")
    if text.strip():
        count_one(request, Rate.SEND)
        checked_text(text)
    conversation = start_conversation(
        workspace,
        by=user,
        agent=_chosen_agent(request, workspace),
        openness=request.POST.get("openness") or Openness.OPEN,
        origin=origin_of(request),
    )
    if text.strip():
        client_id = request.POST.get("client_id") or f"first-{conversation.public_id}"
        post_message(conversation, by=user, text=text, client_id=client_id)
    announce(conversation)
    return conversation


def _chosen_agent(request: HttpRequest, workspace: Workspace) -> Agent | None:
    agents, handle = agents_of(workspace), request.POST.get("agent", "")
    if not handle:
        return agents[0] if agents else None
    chosen = next((agent for agent in agents if agent.handle == handle), None)
    if chosen is None:
        raise Invalid("This agent does not work in this workspace; nothing was started.")
    return chosen


@asks
def sidebar(request: HttpRequest, slug: str) -> HttpResponse:
    """The list alone, for a page that was told it changed."""
    return render(
        request, "chat/_conversations.html", list_context(request, visible_workspace(request, slug))
    )


@asks
def own_workspaces(request: HttpRequest, slug: str) -> HttpResponse:
    """What the menu of the workspaces holds now, for a page that was loaded a while ago."""
    return render(request, "chat/_workspaces.html", menu_context(request, visible_workspace(request, slug)))


@require_safe
@login_required
def workspace_settings(request: HttpRequest, slug: str) -> HttpResponse:
    context = settings_context(request, visible_workspace(request, slug))
    return render(request, "chat/workspace_settings.html", context)


def settings_context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    return {
        **shell_context(request, workspace),
        "member_count": workspace.memberships.count(),
        "agents": agents_of(workspace),
        "can_manage": may_in_workspace(person(request), workspace.pk, Act.MEMBERS),
        "can_set_up": may_in_workspace(person(request), workspace.pk, Act.MANAGE),
    }


def workspaces_context(user: User) -> dict[str, Any]:
    places = Membership.objects.filter(user=user).select_related("workspace")
    return {
        "places": places.order_by("workspace__name", "pk"),
        "may_create": may_create(user),
        "name_length": NAME_LENGTH,
    }


def home_context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    return {
        **shell_context(request, workspace),
        "agents": agents_of(workspace),
        "is_first_time": _is_first_time(person(request)),
    }


def shell_context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    """What the frame around every page of a workspace shows."""
    user = person(request)
    return {
        **list_context(request, workspace),
        **menu_context(request, workspace),
        "role": role_in(user, workspace.pk),
        "user_tint": tint_of(user),
    }


def menu_context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    user = person(request)
    return {
        "workspace": workspace,
        "workspaces": Workspace.objects.visible_to(user).order_by("name", "pk"),
        "may_create": may_create(user),
    }


def list_context(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    archived = request.GET.get("archived") == "1"
    limit = min(_number(request.GET.get("shown", "")) or LISTED, MOST_LISTED)
    rows = listed_conversations(workspace, user=person(request), archived=archived, limit=limit + 1)
    return {
        "workspace": workspace,
        "conversations": rows[:limit],
        "more": min(limit * 4, MOST_LISTED) if len(rows) > limit else 0,
        "archived": archived,
        "current": request.GET.get("current", ""),
    }


def agents_of(workspace: Workspace) -> list[Agent]:
    return list(workspace.agents.filter(is_active=True).order_by("pk"))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0


def _is_first_time(user: User) -> bool:
    return not Message.objects.filter(author=user).exists()
