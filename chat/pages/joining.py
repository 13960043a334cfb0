"""The page of an invitation, for whoever has its link: what it is, and one button to join."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.broadcast.announcing import announce_access
from chat.origins import origin_of
from chat.pages.doors import person, refusal_status
from sessions_app.errors import HoldfastError
from sessions_app.models import Invitation, Role
from sessions_app.services.access import role_in
from sessions_app.services.invitations import accept_invitation, find_invitation, why_closed

KEPT = "invitation"  # in the login session: the token somebody came with, before they signed in
WHAT_THEY_DO = {
    Role.ADMIN: "writes, and manages people and agents",
    Role.MEMBER: "reads and writes",
    Role.VIEWER: "reads",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = find_invitation(token)
    if found is None:
        return _shown(request, None, closed="There is no such invitation.", status=404)
    if request.user.is_authenticated and role_in(person(request), found.workspace_id):
        return _gone_in(request, found)
    if reason := why_closed(found):
        request.session.pop(KEPT, None)
        return _shown(request, found, closed=reason, status=410)
    if not request.user.is_authenticated:
        request.session[KEPT] = token
        return redirect(kept_path()) if request.method == "POST" else _shown(request, found)
    return _joined(request, found, token) if request.method == "POST" else _shown(request, found)


@never_cache
@require_safe
def kept(request: HttpRequest) -> HttpResponse:
    """Where signing in leads back to: no address that is written down anywhere holds the token."""
    token = request.session.get(KEPT, "")
    return redirect("invitation", token=token) if token else redirect("index")


def kept_path() -> str:
    """Signing in, and from there back to the invitation."""
    return _leading_back(resolve_url(settings.LOGIN_URL))


def _joined(request: HttpRequest, found: Invitation, token: str) -> HttpResponse:
    try:
        accept_invitation(token, by=person(request), origin=origin_of(request))
    except HoldfastError as error:
        return _shown(request, found, problem=str(error), status=refusal_status(error))
    announce_access(found.workspace)
    return _gone_in(request, found)


def _gone_in(request: HttpRequest, found: Invitation) -> HttpResponse:
    request.session.pop(KEPT, None)
    return redirect("workspace", slug=found.workspace.slug)


def _shown(request: HttpRequest, found: Invitation | None, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "invitation": found,
        "what_they_do": WHAT_THEY_DO[Role(found.role)] if found else "",
        "sign_in": kept_path(),
        "sign_up": _sign_up_path(found),
        "sign_out": reverse("account_logout"),
        "here": request.path,
        **more,
    }
    return render(request, "chat/invitation.html", context, status=status)


def _sign_up_path(found: Invitation | None) -> str:
    """With the address that the invitation was sent to, which the account must have."""
    email = {"email": found.email} if found and found.email else {}
    return _leading_back(reverse("account_signup"), **email)


def _leading_back(address: str, **more: str) -> str:
    return f"{address}?{urlencode({'next': reverse('kept_invitation'), **more})}"
