"""The invitations of a workspace: made and shown once, sent by mail, listed and revoked."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.invitation_links import invitation_link, send_invitation
from chat.origins import origin_of
from chat.pages.doors import count_one, person, refusal_status, told_to_wait, visible_workspace
from chat.pages.home import shell_context
from chat.pages.joining import WHAT_THEY_DO
from chat.rates import Rate
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import Role, Workspace
from sessions_app.models.invitation import INVITED_AS
from sessions_app.services.access import Act, may_in_workspace
from sessions_app.services.invitations import (
    USUAL_DAYS,
    invite,
    pending_invitations,
    revoke_invitation,
    why_closed,
)

DAYS = (1, USUAL_DAYS, 14, 30)
ONE, ANYBODY = "one", "anybody"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """The answer to the form shows the new link, this once; a refusal keeps what was chosen."""
    workspace = visible_workspace(request, slug)
    if request.method != "POST":
        return _shown(request, workspace)
    try:
        made = _make(request, workspace)
    except HoldfastError as error:
        refused = {"problem": str(error), "sent": request.POST}
        return told_to_wait(_shown(request, workspace, status=refusal_status(error), **refused), error)
    return _shown(request, workspace, **made)


@require_POST
@login_required
def revocations(request: HttpRequest, slug: str, public_id: UUID) -> HttpResponse:
    workspace = visible_workspace(request, slug)
    found = get_object_or_404(workspace.invitations.select_related("workspace"), public_id=public_id)
    try:
        revoke_invitation(found, by=person(request), origin=origin_of(request))
    except HoldfastError as error:
        return _shown(request, workspace, status=refusal_status(error), problem=str(error))
    return redirect("invitations", slug=slug)


def _make(request: HttpRequest, workspace: Workspace) -> dict[str, Any]:
    count_one(request, Rate.INVITE)
    sent = request.POST
    days, whom = sent.get("days", ""), sent.get("whom", ANYBODY)
    if not (days.isascii() and days.isdigit() and len(days) < 8):
        raise Invalid("Choose for how many days the invitation is good; nothing was made.")
    if whom not in (ONE, ANYBODY):
        raise Invalid("An invitation is for one person or for anybody who has the link; nothing was made.")
    invitation, token = invite(
        workspace,
        by=person(request),
        role=_role(sent.get("role", "")),
        days=int(days),
        email=sent.get("email", ""),
        uses=1 if whom == ONE else None,
        origin=origin_of(request),
    )
    link = invitation_link(request, token)
    was_sent = bool(invitation.email) and send_invitation(invitation, link)
    return {"made": invitation, "link": link, "was_sent": was_sent}


def _role(text: str) -> Role:
    if text not in Role.values:
        raise Invalid("Choose what they become; nothing was made.")
    return Role(text)


def _shown(request: HttpRequest, workspace: Workspace, *, status: int = 200, **more: Any) -> HttpResponse:
    """Who may not invite is told so, and sees nobody's address."""
    user = person(request)
    can_invite = may_in_workspace(user, workspace.pk, Act.MEMBERS)
    rows = pending_invitations(workspace, by=user) if can_invite else ()
    context = {
        **shell_context(request, workspace),
        "can_invite": can_invite,
        "pending": [{"row": row, "closed": why_closed(row)} for row in rows],
        "roles": [(role.value, f"{role.value}: {WHAT_THEY_DO[role]}") for role in INVITED_AS],
        "days": [str(number) for number in DAYS],
        "usual_days": str(USUAL_DAYS),
        **more,
    }
    return render(request, "chat/invitations.html", context, status=status)
