"""The page of one's own account: name, addresses, password, second factor, and where one is signed in."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.manage_email import sync_user_email_address
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.login_sessions import end_every_login_session, end_login_session, login_sessions
from chat.origins import origin_of
from chat.pages.doors import person
from sessions_app.errors import HoldfastError
from sessions_app.models import User, Workspace
from sessions_app.services.people import rename_person


@never_cache
@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "account/account.html", _context(request))


@require_POST
@login_required
def name(request: HttpRequest) -> HttpResponse:
    try:
        rename_person(person(request), name=request.POST.get("name", ""))
    except HoldfastError as refusal:
        context = {**_context(request), "problem": str(refusal), "typed": request.POST.get("name", "")}
        return render(request, "account/account.html", context, status=400)
    messages.success(request, "Your name is saved.")
    return redirect("account")


@require_POST
@login_required
def sign_out_elsewhere(request: HttpRequest, pk: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=pk, user=person(request))
    if session.session_key == request.session.session_key:
        logout(request)
        return redirect("account_login")
    end_login_session(session, origin=origin_of(request))
    messages.success(request, "That device is signed out.")
    return redirect("account")


@require_POST
@login_required
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Here too: who is not sure who else is in begins anew."""
    end_every_login_session(person(request), origin=origin_of(request))
    logout(request)
    return redirect("account_login")


def _context(request: HttpRequest) -> dict[str, Any]:
    user = person(request)
    return {
        "sessions": login_sessions(user, this_key=request.session.session_key),
        "addresses": _addresses(user),
        "workspaces": Workspace.objects.visible_to(user).order_by("name"),
        "provider": settings.OPENID_PROVIDER,
        "linked": SocialAccount.objects.filter(user=user).order_by("pk"),
        **_second_factor(user),
    }


def _addresses(user: User) -> list[EmailAddress]:
    sync_user_email_address(user)
    return list(EmailAddress.objects.filter(user=user).order_by("-primary", "email"))


def _second_factor(user: User) -> dict[str, Any]:
    found = list(Authenticator.objects.filter(user=user).order_by("pk"))
    of = {kind: [one for one in found if one.type == kind] for kind in Authenticator.Type}
    codes = of[Authenticator.Type.RECOVERY_CODES]
    return {
        "authenticator": next(iter(of[Authenticator.Type.TOTP]), None),
        "passkeys": of[Authenticator.Type.WEBAUTHN],
        "codes_left": len(codes[0].wrap().get_unused_codes()) if codes else None,
    }
