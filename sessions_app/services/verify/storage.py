"""Checks what the database itself must hold: the guards, the foreign keys, its own files."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.db.models import ForeignKey

from sessions_app import guards
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.view import View


def check_storage(view: View, found: Findings) -> None:
    for difference in guards.differences(view.connection):
        found.add("guards", "database", difference)
    for (conversation_id,) in view.rows("SELECT conversation_id FROM holdfast_purge_permit"):
        found.add("permit", "database", f"a permit to purge conversation {conversation_id} was left behind")
    if view.connection.vendor == "sqlite":
        _check_sqlite(view, found)
    else:
        _check_foreign_keys(view, found)


def _check_sqlite(view: View, found: Findings) -> None:
    for (says,) in view.rows("PRAGMA quick_check"):
        if says != "ok":
            found.add("storage", "database", says)
    for table, row, parent, _ in view.rows("PRAGMA foreign_key_check"):
        found.add("foreign keys", table, f"row {row} points at a row of {parent} that does not exist")


def _check_foreign_keys(view: View, found: Findings) -> None:
    """PostgreSQL holds them itself, unless somebody switched that off for a while."""
    for table, column, parent, key in _foreign_keys():
        query = (
            f'SELECT count(*) FROM "{table}" c WHERE c."{column}" IS NOT NULL'
            f' AND NOT EXISTS (SELECT 1 FROM "{parent}" p WHERE p."{key}" = c."{column}")'
        )
        for (count,) in view.rows(query):
            if count:
                says = f"{count} rows point with {column} at rows of {parent} that do not exist"
                found.add("foreign keys", table, says)


def _foreign_keys() -> Iterator[tuple[str, str, str, str]]:
    """(table, column, table it points at, column there) of everything we remember."""
    for model in apps.get_app_config("sessions_app").get_models():
        table = model._meta.db_table  # noqa: SLF001 - Django's own name for something public
        for field in model._meta.local_concrete_fields:  # noqa: SLF001
            if isinstance(field, ForeignKey):
                target = field.target_field
                yield table, field.attname, target.model._meta.db_table, target.attname  # noqa: SLF001
