"""The forms of the login pages, the admin's included: both keep out who failed too often."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from chat.accounts.lock_out import LOCK_OUT_SECONDS, is_locked_out

SENTENCE = (
    f"Too many failed attempts. Wait {LOCK_OUT_SECONDS // 60} minutes, then try again; "
    "until then the right password is refused as well."
)


class SignInForm(AuthenticationForm):
    def clean(self) -> dict[str, Any]:
        """The password of somebody who is locked out is not even looked at."""
        if self.request is not None and is_locked_out(self.request, self.cleaned_data.get("username", "")):
            raise ValidationError(SENTENCE, code="locked_out")
        return super().clean()


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    pass
