"""Tells the audit log who came in, who went and who was kept out, through whichever page it was."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from chat.accounts.lock_out import forgive, note_failure
from chat.origins import origin_of
from sessions_app.models import SecurityEvent, Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.security_events import record_security_event

UNKNOWN = "a name that nobody has"


def listen() -> None:
    """Django's own signals, because its login pages, ours and the admin's, have no other place in common."""
    user_logged_in.connect(signed_in, dispatch_uid="holdfast.signed_in")
    user_logged_out.connect(signed_out, dispatch_uid="holdfast.signed_out")
    user_login_failed.connect(failed, dispatch_uid="holdfast.failed")


def signed_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    if _is_a_person(request):
        forgive(request, user.get_username())
        record_security_event(SecurityEvent.SIGNED_IN, by=user, origin=_origin(request))


def signed_out(*, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None and _is_a_person(request):
        record_security_event(SecurityEvent.SIGNED_OUT, by=user, origin=_origin(request))


def failed(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    if request is None or not _is_a_person(request):
        return
    name, origin = str(credentials.get("username", "")), _origin(request)
    locks = note_failure(request, name)
    # People type passwords into the wrong field, and the log keeps what it is told: only real names are.
    about = name if User.objects.filter(username=name).exists() else UNKNOWN
    record_security_event(SecurityEvent.SIGN_IN_FAILED, by=None, about=about, origin=origin)
    if locks:
        record_security_event(SecurityEvent.LOCKED_OUT, by=None, about=about, origin=origin)


def _is_a_person(request: HttpRequest) -> bool:
    """A program that makes a login session without a page has a request without a method."""
    return request.method is not None


def _origin(request: HttpRequest) -> Origin:
    return origin_of(request, Trigger.ADMIN if request.path.startswith("/admin/") else Trigger.PAGE)
