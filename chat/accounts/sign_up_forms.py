"""The forms with which people make an account."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import SignupForm
from allauth.core import context
from allauth.socialaccount.forms import SignupForm as AfterSignInElsewhere

from chat.accounts.forms import Plain
from chat.accounts.sign_up import refuse_foreign_address


class Welcome(Plain):
    """Looks at the address by the site's rule before anything else is said of it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"
        self.fields["username"].label = "Username"

    def clean_email(self) -> str:
        refuse_foreign_address(context.request, self.cleaned_data["email"])  # type: ignore[attr-defined]
        return str(super().clean_email())  # type: ignore[misc]


class SignUpForm(Welcome, SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password2"].label = "Password again"


class OpenidSignUpForm(Welcome, AfterSignInElsewhere):
    pass
