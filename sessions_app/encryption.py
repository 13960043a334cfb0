"""Encrypts what may be used but never shown; the first of the configured keys encrypts, all of them decrypt."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from sessions_app.errors import HoldfastError, KeyUnreadable


def encrypt(secret: str) -> str:
    return _keys().encrypt(secret.encode()).decode("ascii")


def decrypt(encrypted: str, refusal: type[HoldfastError] = KeyUnreadable) -> str:
    """The secret as it was given; refused where none of the keys is the one it was encrypted with."""
    try:
        return _keys().decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise refusal from None


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.ENCRYPTION_KEYS])
