"""The secrets of people's second factors, which are encrypted like every other key that is kept."""

from __future__ import annotations

from collections.abc import Iterator

from allauth.mfa.models import Authenticator

from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import KeyUnreadable

SECRETS = ("secret", "seed")  # of an authenticator, and of recovery codes


def encrypt_anew() -> Iterator[str]:
    """Goes through all of them, inside the caller's transaction. Of each it tells whose it is where none of the
    keys decrypts it, and nothing where it is done."""
    rows = Authenticator.objects.select_for_update(no_key=True, of=("self",)).exclude(type="webauthn")
    for factor in rows.select_related("user").order_by("pk"):
        name = next(name for name in SECRETS if name in factor.data)
        try:
            factor.data[name] = encrypt(decrypt(factor.data[name]))
        except KeyUnreadable:
            yield factor.user.username
            continue
        factor.save(update_fields=["data"])
        yield ""
