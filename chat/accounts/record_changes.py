"""Tells the audit log what people change about how they come in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as second_factor
from allauth.mfa.models import Authenticator
from allauth.socialaccount import signals as elsewhere
from django.http import HttpRequest

from chat.accounts.record import origin_on_page
from sessions_app.models import SecurityEvent, User
from sessions_app.services.security_events import record_security_event

KIND = {
    Authenticator.Type.TOTP: "authenticator",
    Authenticator.Type.WEBAUTHN: "passkey",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}


def listen() -> None:
    for signal, receiver in (
        (account.user_signed_up, _plain(SecurityEvent.SIGNED_UP)),
        (account.password_changed, _plain(SecurityEvent.PASSWORD_CHANGED)),
        (account.password_set, _plain(SecurityEvent.PASSWORD_CHANGED)),
        (account.password_reset, _plain(SecurityEvent.PASSWORD_CHANGED, about="by a link")),
        (account.email_added, _of_address(SecurityEvent.EMAIL_ADDED)),
        (account.email_removed, _of_address(SecurityEvent.EMAIL_REMOVED)),
        (account.email_confirmed, email_confirmed),
        (account.email_changed, email_changed),
        (second_factor.authenticator_added, _of_factor(SecurityEvent.SECOND_FACTOR_ADDED)),
        (second_factor.authenticator_removed, _of_factor(SecurityEvent.SECOND_FACTOR_REMOVED)),
        (second_factor.authenticator_reset, _of_factor(SecurityEvent.RECOVERY_CODES_MADE)),
        (second_factor.authenticator_used, authenticator_used),
        (elsewhere.social_account_added, account_linked),
        (elsewhere.social_account_removed, account_unlinked),
    ):
        # Not weakly: nothing else holds these functions.
        signal.connect(receiver, weak=False)


def email_confirmed(*, request: HttpRequest, email_address: Any, **_: Any) -> None:
    user: User = email_address.user
    if user.must_confirm_email:
        User.objects.filter(pk=user.pk).update(must_confirm_email=False)
    _record(SecurityEvent.EMAIL_CONFIRMED, request, user, email_address.email)


def email_changed(*, request: HttpRequest, user: User, to_email_address: Any, **_: Any) -> None:
    _record(SecurityEvent.EMAIL_CHANGED, request, user, to_email_address.email)


def authenticator_used(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """A recovery code is gone with its use; the others are told of by the sign-in."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        _record(SecurityEvent.RECOVERY_CODE_USED, request, user)


def account_linked(*, request: HttpRequest, sociallogin: Any, **_: Any) -> None:
    _record(SecurityEvent.ACCOUNT_LINKED, request, sociallogin.user, sociallogin.account.provider)


def account_unlinked(*, request: HttpRequest, socialaccount: Any, **_: Any) -> None:
    _record(SecurityEvent.ACCOUNT_UNLINKED, request, socialaccount.user, socialaccount.provider)


def _plain(kind: SecurityEvent, about: str = "") -> Callable[..., None]:
    def told(*, request: HttpRequest, user: User, **_: Any) -> None:
        _record(kind, request, user, about)

    return told


def _of_address(kind: SecurityEvent) -> Callable[..., None]:
    def told(*, request: HttpRequest, user: User, email_address: Any, **_: Any) -> None:
        _record(kind, request, user, email_address.email)

    return told


def _of_factor(kind: SecurityEvent) -> Callable[..., None]:
    def told(*, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
        _record(kind, request, user, KIND[Authenticator.Type(authenticator.type)])

    return told


def _record(kind: SecurityEvent, request: HttpRequest, user: User, about: str = "") -> None:
    record_security_event(kind, by=user, about=about, origin=origin_on_page(request))
