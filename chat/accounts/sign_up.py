"""Who may make an account: by invitation, or by the site's setting."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from sessions_app.services.invitations import open_invitation

INVITATION = "invitation"  # in the login session: the token of the link that somebody came by


def may_sign_up(request: HttpRequest) -> bool:
    return settings.SIGN_UP.kind != "invitation" or is_invited(request)


def is_invited(request: HttpRequest) -> bool:
    token = invitation_of(request)
    return bool(token) and invitation_open(token)


def invitation_of(request: HttpRequest) -> str:
    token = request.session.get(INVITATION, "")
    return token if isinstance(token, str) else ""


def invitation_open(token: str) -> bool:
    return open_invitation(token) is not None


def is_welcome(request: HttpRequest, email: str) -> bool:
    """Whether somebody with this address may make an account; who is invited may have any."""
    rule = settings.SIGN_UP
    if rule.kind != "domains" or is_invited(request):
        return may_sign_up(request)
    return email.rpartition("@")[2].lower() in rule.domains


def refuse_foreign_address(request: HttpRequest, email: str) -> None:
    if not is_welcome(request, email):
        listed = ", ".join(sorted(settings.SIGN_UP.domains))
        raise ValidationError(f"Accounts here are for addresses of {listed}; nothing was made.")
