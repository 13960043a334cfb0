"""Encrypts every kept key anew with the newest encryption key, so that older ones can be left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import KeyUnreadable
from sessions_app.models import Action, Agent, ToolServer
from sessions_app.services.audit import COMMAND, write_instance_entry
from sessions_app.services.second_factor_keys import encrypt_anew
from sessions_app.services.transactions import one_transaction

Keyed = Agent | ToolServer


@dataclass(frozen=True)
class Rotation:
    """How many keys are encrypted anew, and whose key none of the encryption keys decrypts."""

    rotated: int
    unreadable: tuple[Keyed, ...]
    unreadable_factors: tuple[str, ...] = ()  # the usernames of those whose second factor it is


@one_transaction
def rotate_encryption_keys() -> Rotation:
    """Afterwards the first of the encryption keys decrypts every key that could be decrypted before."""
    rotated, unreadable = 0, []
    for keyed in _everything_with_a_key():
        try:
            keyed.encrypted_key = encrypt(decrypt(keyed.encrypted_key))
        except KeyUnreadable:
            unreadable.append(keyed)
            continue
        keyed.save(update_fields=["encrypted_key"])
        rotated += 1
    factors = list(encrypt_anew())
    rotated += factors.count("")
    lost = sorted({username for username in factors if username})
    write_instance_entry(
        Action.ROTATE_KEYS,
        by=None,
        origin=COMMAND,
        at=timezone.now(),
        rotated=rotated,
        unreadable=[str(keyed.public_id) for keyed in unreadable],
        unreadable_factors=lost,
    )
    return Rotation(rotated, tuple(unreadable), tuple(lost))


def _everything_with_a_key() -> Iterator[Keyed]:
    for model in (Agent, ToolServer):
        rows = model.objects.select_for_update(no_key=True, of=("self",)).exclude(encrypted_key="")
        yield from rows.select_related("workspace").order_by("pk")
