"""Choosing a password: the first one by a link that works once, another one when signed in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpResponse
from django.urls import reverse_lazy

from chat.origins import origin_of
from sessions_app.models import SecurityEvent, User
from sessions_app.services.security_events import record_security_event


class ChangePassword(PasswordChangeView):
    """The other login sessions of this person end: they were opened with the old password."""

    template_name = "registration/choose_password.html"
    success_url = reverse_lazy("index")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        _record(self)
        return answer


class SetPassword(PasswordResetConfirmView):
    """Who has the link is signed in with the password they choose; the link opens nothing after that."""

    template_name = "registration/choose_password.html"
    success_url = reverse_lazy("index")
    post_reset_login = True

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        _record(self)
        return answer


def _record(view: PasswordChangeView | PasswordResetConfirmView) -> None:
    assert isinstance(view.request.user, User)
    origin = origin_of(view.request)
    record_security_event(SecurityEvent.PASSWORD_CHANGED, by=view.request.user, origin=origin)
