"""Puts a backup in the database's place."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import BackupRefused
from sessions_app.management.reporting import described
from sessions_app.services.restore_backup import Restored, restore_backup


class Command(BaseCommand):
    help = "Puts the backup FILE in the database's place. Stop the server first."

    # What this command is for is a database that the usual checks would not pass.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what manage.py backup wrote")
        parser.add_argument(
            "--replace", action="store_true", help="a database that is not empty is kept aside"
        )
        parser.add_argument("--unverified", action="store_true", help="do without verifying the backup first")

    def handle(self, *args: Any, file: Path, replace: bool, unverified: bool, **options: Any) -> None:
        try:
            restored = restore_backup(file, replace=replace, is_verified=not unverified)
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        for line in told(restored, file):
            self.stdout.write(line)


def told(restored: Restored, file: Path) -> list[str]:
    lines = [described(restored.report)] if restored.report else []
    lines.append(f"Restored {file}: {restored.mark.events:,} events.")
    if restored.missing_events:
        lines.append(
            f"This installation had written at least {restored.missing_events:,} events more; they are not in it."
        )
    if restored.before is not None and restored.before.instance != restored.mark.instance:
        lines.append("It comes from another installation, whose identity this one has taken over.")
    if restored.kept is not None:
        lines.append(f"The database that was replaced is kept as {restored.kept}.")
    return lines
