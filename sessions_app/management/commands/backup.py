"""Writes a backup of everything while people work."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import BackupRefused
from sessions_app.management.reporting import described, remembering
from sessions_app.services.backup import Backup, take_backup
from sessions_app.services.health import record_backup


class Command(BaseCommand):
    help = "Writes everything into FILE while people work, and verifies the copy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a new file; an existing one is kept")
        parser.add_argument("--unverified", action="store_true", help="do without verifying the copy")

    def handle(self, *args: Any, file: Path, unverified: bool, **options: Any) -> None:
        try:
            backup = take_backup(file, is_verified=not unverified)
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        with remembering(self.stderr):
            record_backup(backup)
        self.stdout.write(f"Wrote {backup.file} ({backup.size_bytes / 1_000_000:.1f} MB).")
        self.tell_verification(backup)

    def tell_verification(self, backup: Backup) -> None:
        """The file is kept in any case; a script learns from the exit code whether it may rely on it."""
        if backup.why_unverified:
            self.stderr.write(f"It could not be verified: {backup.why_unverified}")
            sys.exit(1)
        if backup.report is None:
            self.stdout.write("It was not verified.")
            return
        self.stdout.write(described(backup.report))
        if not backup.report.is_clean:
            sys.exit(1)
