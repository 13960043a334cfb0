"""Prints who may do what, as docs/security.md shows it."""

from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.services.role_table import level_table, role_table, standing_table


class Command(BaseCommand):
    help = "Prints the tables of roles, levels and acts in Markdown."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("\n\n".join([role_table(), level_table(), standing_table()]))
