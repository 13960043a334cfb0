"""Prints who may do what, as docs/security.md shows it."""

from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.services.role_table import role_table


class Command(BaseCommand):
    help = "Prints the table of roles and acts in Markdown."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(role_table())
