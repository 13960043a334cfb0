"""Django's migrate, with the guards taken out for its time: SQLite's table rebuilds would drop them unseen."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as DjangoMigrate
from django.db import connections

from sessions_app import guards
from sessions_app.errors import StartupRefused
from sessions_app.services.instance import refuse_missing_database


class Command(DjangoMigrate):
    def handle(self, *args: Any, **options: Any) -> None:
        """Afterwards exactly the guards of the code stand in the database, whatever the migrations did."""
        connection = connections[options["database"]]
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        try:
            refuse_missing_database()
        except StartupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        guards.remove(connection)
        try:
            super().handle(*args, **options)
        finally:
            guards.install_where_possible(connection)
