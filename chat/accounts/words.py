"""What people are told about their account, in our own words."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

MISMATCH = "Please enter a correct username and password. Capitals and small letters differ in a password."
ERRORS = {
    "username_password_mismatch": MISMATCH,
    "email_password_mismatch": MISMATCH,
    "enter_current_password": "This is not your present password; nothing was changed.",
    "incorrect_password": "This is not your password.",
    "incorrect_code": "This code is not right, has been used, or is too old.",
    "email_taken": "This address belongs to an account. Sign in to it, or use another address.",
    "invalid_password_reset": "This link has been used or is too old.",
}

LINKS = {
    "no_password": "Choose a password first: without this link you could not come in. Nothing was changed.",
    "no_verified_email": "Confirm an e-mail address of yours first; nothing was changed.",
    "email_taken": "This address belongs to an account. Log in to it, then link your account at %s.",
}

# By the names of the templates that allauth would have rendered.
MESSAGES = {
    "email_confirmation_sent": "A link was sent to {email}. It confirms the address, for three days.",
    "email_confirmed": "{email} is confirmed.",
    "email_confirmation_failed": "{email} is another account's; nothing was changed.",
    "email_deleted": "{email} is removed.",
    "primary_email_set": "Mail goes to this address from now on.",
    "unverified_primary_email": "Confirm the address first; nothing was changed.",
    "cannot_delete_primary_email": "Mail goes to {email}: choose another first; nothing was changed.",
    "password_changed": "Your password is changed. Everywhere else you are signed out.",
    "password_set": "You have a password now.",
    "totp_activated": "From now on a code of your authenticator is asked for when you sign in.",
    "totp_deactivated": "Codes of your authenticator are no longer asked for.",
    "webauthn_added": "The passkey is added.",
    "webauthn_removed": "The passkey is removed.",
    "recovery_codes_generated": "You have new recovery codes. They are shown once, now.",
    "account_connected": "The account is linked: you can sign in with it.",
    "account_connected_updated": "This account was linked already.",
    "account_connected_other": "Somebody else has linked this account; nothing was changed.",
    "account_disconnected": "The account is no longer linked.",
}

NOTICES = {
    "email_changed": "mail goes to another address from now on",
    "email_deleted": "an e-mail address was removed",
    "password_changed": "the password was changed",
    "password_reset": "a new password was chosen by a link",
    "password_set": "a password was set",
    "totp_activated": "an authenticator was added",
    "totp_deactivated": "the authenticator was removed",
    "recovery_codes_generated": "new recovery codes were made",
    "webauthn_added": "a passkey was added",
    "webauthn_removed": "a passkey was removed",
    "account_connected": "an account elsewhere was linked",
    "account_disconnected": "an account elsewhere is no longer linked",
}


def message(template: str, context: dict[str, Any]) -> str:
    """Empty where there is nothing to tell. Who signs up is told by a page of its own."""
    if context.get("signup"):
        return ""
    return MESSAGES.get(PurePath(template).stem, "").format(email=context.get("email", ""))


def notice(template: str) -> str:
    return NOTICES[PurePath(template).stem]
