"""The forms of signing in and of passwords and addresses, with our names and without placeholders."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.socialaccount.forms import DisconnectForm


class Plain:
    """A placeholder says what the label says already, and is gone when it would be needed."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class SignInForm(Plain, account.LoginForm):
    """What is typed is called `username`, as password managers expect it, and may be an e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or e-mail"
        self.fields["login"].widget.attrs |= {
            "autocomplete": "username",
            "autocapitalize": "none",
            "autofocus": True,
            "maxlength": 254,
        }
        self.fields["password"].help_text = ""

    def add_prefix(self, field_name: str) -> str:
        return str(super().add_prefix("username" if field_name == "login" else field_name))


class ProveByPasswordForm(Plain, account.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class ChangePasswordForm(Plain, account.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = "Present password"
        self.fields["oldpassword"].help_text = ""
        name_new_password(self.fields)


class SetPasswordForm(Plain, account.SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_new_password(self.fields)


class NewPasswordForm(Plain, account.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_new_password(self.fields)


class ForgottenPasswordForm(Plain, account.ResetPasswordForm):
    pass


class AddEmailForm(Plain, account.AddEmailForm):
    pass


class UnlinkForm(DisconnectForm):
    pass


def name_new_password(fields: dict[str, Any]) -> None:
    fields["password1"].label = "New password"
    fields["password2"].label = "New password again"
