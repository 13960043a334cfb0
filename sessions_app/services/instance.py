"""This installation's identity and high-water mark, in the database and in a file beside it."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Sum

from sessions_app.errors import StartupRefused
from sessions_app.models import Instance, Session

FILE_NAME = "instance.json"
TABLE = "holdfast_instance"


@dataclass(frozen=True)
class Mark:
    """Which instance this is, and how many events it has written at least."""

    instance: str
    events: int


def mark_file() -> Path:
    return Path(settings.DATA_DIR) / FILE_NAME


def read_mark() -> Mark | None:
    """What the file says; None where there is none. A file that cannot be read is refused, not replaced."""
    path = mark_file()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return Mark(str(found["instance"]), int(found["events"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StartupRefused(
            f"{path} cannot be read ({error}). Put it back from a backup, or delete it if the database "
            "is the right one; nothing was changed."
        ) from error


def current_mark() -> Mark | None:
    """What the database says; None where it has no instance yet."""
    instance = Instance.objects.first()
    return None if instance is None else Mark(str(instance.public_id), count_events(instance))


def count_events(instance: Instance) -> int:
    """Never goes down: what a purge deletes is still counted."""
    total: int | None = Session.objects.aggregate(total=Sum("last_seq"))["total"]
    return (total or 0) + instance.purged_events


def record_mark() -> Mark:
    """Gives a new database its identity and writes the file anew, in one step that a crash cannot halve."""
    Instance.objects.get_or_create(pk=1)
    mark = current_mark()
    assert mark is not None
    replace_file(mark_file(), json.dumps(asdict(mark), indent=2) + "\n")
    return mark


def raise_mark() -> Mark:
    """Writes the file anew while the server runs; refused and kept where the database has become an older one."""
    refuse_older_database()
    return record_mark()


def refuse_older_database() -> None:
    """A database that knows less than this installation has written, or is another's, is not gone on with."""
    known, found = read_mark(), current_mark()
    if known is None:
        return
    if found is None or found.instance != known.instance:
        raise StartupRefused(
            f"This database belongs to another installation than {mark_file()}. Correct DATABASE_URL or "
            f"HOLDFAST_DATA_DIR; if the database is the right one, move {mark_file().name} away."
        )
    if found.events < known.events:
        raise StartupRefused(
            f"This database is older than it should be: it has {found.events} events, and this installation "
            f"has written at least {known.events}. Put the newer one back; to go on with the older one on "
            f"purpose, move {mark_file()} away."
        )


def refuse_missing_database() -> None:
    """A database that is empty although this installation has written one is never filled in silence."""
    mark = read_mark()
    if mark is None or _has_tables():
        return
    raise StartupRefused(
        f"The database is empty, but {mark_file()} says that this installation has written "
        f"{mark.events} events. Put the database back (manage.py restore_backup FILE), or correct DATABASE_URL. "
        f"To begin anew on purpose, move {mark_file().name} away first. Nothing was changed."
    )


def _has_tables() -> bool:
    """Looks for SQLite's file first: to connect would make an empty one."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False
    return TABLE in connection.introspection.table_names()


def replace_file(path: Path, text: str) -> None:
    """In one step that a crash cannot halve."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
