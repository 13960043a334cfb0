"""The forms of the second factor; wrong codes are counted like wrong passwords, and keep out sooner."""

from __future__ import annotations

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm

from chat.accounts.forms import Plain
from chat.accounts.lock_out import refuse_locked_out
from chat.accounts.second_factor import use_once


class Guarded(Plain):
    user: Any
    authenticator: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"autofocus": True, "autocapitalize": "none"}

    def clean_code(self) -> str:
        refuse_locked_out(context.request, self.user.get_username(), with_code=True)
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP and not use_once(self.authenticator, code):
            self._emit_authentication_failed(self.authenticator)  # type: ignore[attr-defined]
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeForm(Guarded, AuthenticateForm):
    pass


class ProveByCodeForm(Guarded, ReauthenticateForm):
    pass


class AuthenticatorForm(Plain, ActivateTOTPForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = "The code it shows now"
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


class PasskeyForm(Plain, AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name"
        self.fields["name"].max_length = 100
        self.fields["name"].widget.attrs["maxlength"] = 100
        self.fields["passwordless"].label = "Sign in with it alone, without the password"
        self.fields["passwordless"].help_text = ""
        self.fields["passwordless"].initial = True
