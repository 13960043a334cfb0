"""Encrypts the key of every agent and tool server with the first of HOLDFAST_ENCRYPTION_KEYS."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app.services.key_rotation import rotate_encryption_keys


class Command(BaseCommand):
    help = (
        "Encrypts every kept key with the first of HOLDFAST_ENCRYPTION_KEYS, and names those it cannot read."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        rotation = rotate_encryption_keys()
        self.stdout.write(f"Encrypted with the first key: {rotation.rotated}.")
        if rotation.unreadable:
            names = ", ".join(f"{keyed.name} ({keyed.workspace.name})" for keyed in rotation.unreadable)
            raise CommandError(
                f"None of the encryption keys decrypts the key of: {names}. Put the old one back "
                "(HOLDFAST_ENCRYPTION_KEYS) and run this again, or enter these keys anew."
            )
        self.stdout.write(
            "Only the first of HOLDFAST_ENCRYPTION_KEYS is needed now, and the older ones for backups."
        )
