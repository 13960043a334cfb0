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
        lost = [f"{keyed.name} ({keyed.workspace.name})" for keyed in rotation.unreadable]
        lost += [f"the second factor of {username}" for username in rotation.unreadable_factors]
        if lost:
            names = ", ".join(lost)
            raise CommandError(
                f"None of the encryption keys decrypts the key of: {names}. Put the old one back "
                "(HOLDFAST_ENCRYPTION_KEYS) and run this again, or enter these keys anew, and remove "
                "these second factors in the admin."
            )
        self.stdout.write(
            "Only the first of HOLDFAST_ENCRYPTION_KEYS is needed now, and the older ones for backups."
        )
