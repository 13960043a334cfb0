"""Who is in a workspace: roles changed, people removed, a workspace left or handed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from chat.broadcast.announcing import announce_access
from chat.origins import origin_of
from chat.pages.doors import count_one, person, refusal_status, visible_workspace
from chat.pages.home import shell_context
from chat.pages.team_log import lately
from chat.pages.transcript import tint_of
from chat.rates import Rate
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import Membership, Role, Workspace
from sessions_app.services.access import Act, may_in_workspace
from sessions_app.services.members import (
    change_role,
    hand_over_ownership,
    leave_workspace,
    may_remove,
    remove_member,
    roles_to_give,
)


@require_safe
@login_required
def members(request: HttpRequest, slug: str) -> HttpResponse:
    return _shown(request, visible_workspace(request, slug))


@require_POST
@login_required
def roles(request: HttpRequest, slug: str, person_id: UUID) -> HttpResponse:
    workspace, member = _found(request, slug, person_id)
    role, by, origin = request.POST.get("role", ""), person(request), origin_of(request)
    return _done(request, workspace, lambda: change_role(member, to=_role(role), by=by, origin=origin))


@require_POST
@login_required
def removals(request: HttpRequest, slug: str, person_id: UUID) -> HttpResponse:
    workspace, member = _found(request, slug, person_id)
    return _done(
        request, workspace, lambda: remove_member(member, by=person(request), origin=origin_of(request))
    )


@require_POST
@login_required
def handovers(request: HttpRequest, slug: str, person_id: UUID) -> HttpResponse:
    workspace, member = _found(request, slug, person_id)
    by, origin = person(request), origin_of(request)
    return _done(
        request, workspace, lambda: hand_over_ownership(workspace, by=by, to=member.user, origin=origin)
    )


@require_POST
@login_required
def departures(request: HttpRequest, slug: str) -> HttpResponse:
    """One leaves, and finds one's other workspaces."""
    workspace = visible_workspace(request, slug)
    return _done(
        request,
        workspace,
        lambda: leave_workspace(workspace, by=person(request), origin=origin_of(request)),
        then="workspaces",
    )


def _role(text: str) -> Role:
    if text not in Role.values:
        raise Invalid("Choose a role; nothing was changed.")
    return Role(text)


def _found(request: HttpRequest, slug: str, person_id: UUID) -> tuple[Workspace, Membership]:
    workspace = visible_workspace(request, slug)
    rows = workspace.memberships.select_related("user", "workspace")
    return workspace, get_object_or_404(rows, user__public_id=person_id)


def _done(
    request: HttpRequest, workspace: Workspace, act: Callable[[], object], then: str = ""
) -> HttpResponse:
    """Back to the list; a refusal is said above it."""
    try:
        count_one(request, Rate.CHANGE)
        act()
    except HoldfastError as error:
        return _shown(request, workspace, problem=str(error), status=refusal_status(error))
    announce_access(workspace)
    return redirect(then) if then else redirect("members", slug=workspace.slug)


def _shown(
    request: HttpRequest, workspace: Workspace, *, problem: str = "", status: int = 200
) -> HttpResponse:
    user = person(request)
    can_invite = may_in_workspace(user, workspace.pk, Act.MEMBERS)
    context = {
        **shell_context(request, workspace),
        "members": _rows(request, workspace),
        "can_invite": can_invite,
        "lately": lately(workspace, by=user) if can_invite else [],
        "problem": problem,
    }
    return render(request, "chat/members.html", context, status=status)


def _rows(request: HttpRequest, workspace: Workspace) -> list[dict[str, Any]]:
    """Each with what the reader may do about them, so that the page offers nothing that is refused."""
    rows = workspace.memberships.select_related("user").order_by("user__username")
    listed = list(rows)
    mine = next((row.role for row in listed if row.user_id == person(request).pk), None)
    return [
        {
            "row": row,
            "tint": tint_of(row.user),
            "is_me": row.user_id == person(request).pk,
            "roles": roles_to_give(mine, row.role),
            "may_remove": may_remove(mine, row.role),
            "may_be_heir": mine == Role.OWNER and row.user.is_active,
        }
        for row in listed
    ]
