"""Tells the audit log who came in, who went and who was kept out, through whichever page it was."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.mfa.signals import authentication_failed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from chat.accounts.lock_out import forgive, note_failure
from chat.origins import origin_of
from sessions_app.models import SecurityEvent, Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.security_events import record_security_event

UNKNOWN = "a name that nobody has"


def listen() -> None:
    """The signals of Django and allauth, because the pages that send them have no other place in common."""
    user_logged_in.connect(signed_in, dispatch_uid="holdfast.signed_in")
    user_logged_out.connect(signed_out, dispatch_uid="holdfast.signed_out")
    user_login_failed.connect(failed, dispatch_uid="holdfast.failed")
    authentication_failed.connect(code_refused, dispatch_uid="holdfast.code_refused")


def signed_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    if _is_a_person(request):
        steps = get_authentication_records(request, user)
        for name in {user.get_username(), *(step["email"] for step in steps if "email" in step)}:
            forgive(request, name)
        record_security_event(
            SecurityEvent.SIGNED_IN, by=user, about=_proofs(steps), origin=origin_on_page(request)
        )


def signed_out(*, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None and _is_a_person(request):
        record_security_event(SecurityEvent.SIGNED_OUT, by=user, origin=origin_on_page(request))


def failed(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    if request is None or not _is_a_person(request):
        return
    name = str(credentials.get("username", ""))
    locks = note_failure(request, name)
    # People type passwords into the wrong field, and the log keeps what it is told: only real names are.
    account = account_named(name)
    _refused(request, SecurityEvent.SIGN_IN_FAILED, account.username if account else UNKNOWN, locks)


def code_refused(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Whoever typed it had the password, or a login session that is open."""
    locks = note_failure(request, user.get_username(), with_code=True)
    _refused(request, SecurityEvent.CODE_REFUSED, user.get_username(), locks)


def password_reset_asked(*, request: HttpRequest, user: User) -> None:
    record_security_event(
        SecurityEvent.PASSWORD_RESET_ASKED, by=None, about=user.get_username(), origin=origin_on_page(request)
    )


def account_named(name: str) -> User | None:
    """By what may be typed to sign in: a username, or an e-mail address."""
    found: User | None = get_user_by_username(name)
    return found or next(iter(filter_users_by_email(name, for_login=True)), None)


def origin_on_page(request: HttpRequest) -> Origin:
    return origin_of(request, Trigger.ADMIN if request.path.startswith("/admin/") else Trigger.PAGE)


def _refused(request: HttpRequest, kind: SecurityEvent, about: str, locks: bool) -> None:
    origin = origin_on_page(request)
    record_security_event(kind, by=None, about=about, origin=origin)
    if locks:
        record_security_event(SecurityEvent.LOCKED_OUT, by=None, about=about, origin=origin)


def _proofs(steps: list[dict[str, Any]]) -> str:
    """What came with, or in place of, the password."""
    kinds = [step.get("type") or step.get("provider") or step["method"] for step in steps]
    return ", ".join(kind for kind in kinds if kind != "password")


def _is_a_person(request: HttpRequest) -> bool:
    """A program that makes a login session without a page has a request without a method."""
    return request.method is not None
