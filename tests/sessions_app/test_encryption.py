from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import KeyUnreadable

SECRET = "sk-kelp-🌿"
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def test_what_is_encrypted_is_unreadable_and_comes_back() -> None:
    assert SECRET not in encrypt(SECRET)
    assert encrypt(SECRET) != encrypt(SECRET)
    assert decrypt(encrypt(SECRET)) == SECRET


def test_a_newer_key_encrypts_and_the_older_one_still_decrypts(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = [OLD]
    old = encrypt(SECRET)
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    new = encrypt(SECRET)
    assert decrypt(old) == SECRET
    settings.ENCRYPTION_KEYS = [NEW]
    assert decrypt(new) == SECRET


@pytest.mark.parametrize("damaged", ["", "kelp", "é"])
def test_what_cannot_be_decrypted_is_refused_with_a_sentence(settings: Settings, damaged: str) -> None:
    with pytest.raises(KeyUnreadable):
        decrypt(damaged)
    settings.ENCRYPTION_KEYS = [OLD]
    encrypted = encrypt(SECRET)
    settings.ENCRYPTION_KEYS = [NEW]
    with pytest.raises(KeyUnreadable, match="HOLDFAST_ENCRYPTION_KEYS"):
        decrypt(encrypted)
