"""Encrypts the agents' keys anew with the newest encryption key, so that older ones can be left out."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from sessions_app.encryption import decrypt, encrypt
from sessions_app.errors import KeyUnreadable
from sessions_app.models import Action, Agent
from sessions_app.services.audit import COMMAND, write_instance_entry
from sessions_app.services.transactions import one_transaction


@dataclass(frozen=True)
class Rotation:
    """How many keys are encrypted anew, and the agents whose key none of the encryption keys decrypts."""

    rotated: int
    unreadable: tuple[Agent, ...]


@one_transaction
def rotate_encryption_keys() -> Rotation:
    """Afterwards the first of the encryption keys decrypts every agent's key that could be decrypted before."""
    rotated, unreadable = 0, []
    keyed = Agent.objects.select_for_update(no_key=True, of=("self",)).exclude(encrypted_key="")
    for agent in keyed.select_related("workspace").order_by("pk"):
        try:
            agent.encrypted_key = encrypt(decrypt(agent.encrypted_key))
        except KeyUnreadable:
            unreadable.append(agent)
            continue
        agent.save(update_fields=["encrypted_key"])
        rotated += 1
    write_instance_entry(
        Action.ROTATE_KEYS,
        by=None,
        origin=COMMAND,
        at=timezone.now(),
        rotated=rotated,
        unreadable=[str(agent.public_id) for agent in unreadable],
    )
    return Rotation(rotated, tuple(unreadable))
