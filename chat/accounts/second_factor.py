"""The second factor: its secrets are encrypted, its picture is drawn by the page, and no code counts twice."""

from __future__ import annotations

from typing import ClassVar

import qrcode
from allauth.core import context
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string

from chat.accounts import words
from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import KeyUnreadable
from sessions_app.models import User
from sessions_app.services.transactions import one_transaction

UNREADABLE = "The server has lost the key to your second factor. Ask the operator of this site to remove it."
LAST_USED = "last_used_counter"


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages: ClassVar = {**DefaultMFAAdapter.error_messages, **words.ERRORS}

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return decrypt(encrypted_text)
        except KeyUnreadable:
            raise ValidationError(UNREADABLE) from None

    def build_totp_svg(self, url: str) -> str:
        """Drawn with attributes alone: the content security policy allows neither styles nor data: pictures."""
        picture = qrcode.QRCode(border=2)
        picture.add_data(url)
        rows = picture.get_matrix()
        dots = "".join(
            f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark
        )
        return render_to_string("mfa/totp/_qr.html", {"size": len(rows), "dots": dots})

    def get_totp_label(self, user: User) -> str:
        return f"{user.get_username()} ({context.request.get_host()})"

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        count = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {count + 1}"


@one_transaction
def use_once(authenticator: Authenticator, code: str) -> bool:
    """Whether this code of an authenticator is newer than the last one that counted; from then on it is not."""
    locked = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
    secret = decrypt(locked.data["secret"])
    counters = [
        counter
        for counter in yield_hotp_counters_from_time()
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, counter)))
    ]
    if not counters or max(counters) <= locked.data.get(LAST_USED, 0):
        return False
    locked.data[LAST_USED] = max(counters)
    locked.save(update_fields=["data"])
    return True
