"""What the operators' pages share: who may come in, from where they came, and where they go back to."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from sessions_app.errors import HoldfastError
from sessions_app.models import AuditEntry, Session, Trigger, User
from sessions_app.services.access import OPERATE
from sessions_app.services.audit import Origin

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

UNDO = "undo"


def for_operators(view: View[P]) -> View[P]:
    """Nobody else comes in. What a service refuses is said on the page they came from."""

    @functools.wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_operator(request):
            raise PermissionDenied
        try:
            return view(request, *args, **kwargs)
        except HoldfastError as refusal:
            messages.error(request, str(refusal))
            return back(request)

    return guarded


def is_operator(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff and request.user.has_perm(OPERATE)


def operator(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def who(request: HttpRequest) -> dict[str, Any]:
    """What every service is told about an act in the admin."""
    return {"by": operator(request), "origin": origin(request)}


def origin(request: HttpRequest) -> Origin:
    return origin_of(request, Trigger.ADMIN)


def back(request: HttpRequest) -> HttpResponseRedirect:
    """To the page the button stood on; never to another site."""
    came_from = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        came_from, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    elsewhere = is_ours and not came_from.endswith(request.get_full_path())
    return HttpResponseRedirect(came_from if elsewhere else reverse("admin:recovery"))


def tell_move(request: HttpRequest, entry: AuditEntry) -> None:
    """Says what is active now and what was archived, and offers to undo it."""
    sessions = Session.objects.select_related("conversation__workspace")
    new, old = sessions.get(pk=entry.new_session_id or 0), sessions.get(pk=entry.old_session_id or 0)
    conversation = new.conversation
    announce(conversation)
    messages.success(
        request,
        f"In {conversation.key} session {new.number} with {counted(new)} is active now; "
        f"session {old.number} with {counted(old)} was archived.",
    )
    if conversation.active_entry_id == entry.pk:
        request.session[UNDO] = entry.pk


def counted(session: Session) -> str:
    count = session.message_count
    return "1 message" if count == 1 else f"{count:,} messages"
