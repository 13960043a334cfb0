"""Takes a backup while people work: everything committed before it began, in one file, verified."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from sessions_app.errors import BackupRefused
from sessions_app.services import postgresql_programs, sqlite_files
from sessions_app.services.backup_check import check_backup, opened_backup
from sessions_app.services.backup_file import draft_beside, publish, refuse_existing
from sessions_app.services.verify import Report

NO_RIGHT = "the database's role may not create the temporary database that this needs"


@dataclass(frozen=True)
class Backup:
    """The file, and what the verification of it said; without a report, why there is none."""

    file: Path
    size_bytes: int
    report: Report | None = None
    why_unverified: str = ""


def take_backup(file: Path, *, is_verified: bool = True) -> Backup:
    """Afterwards `file` is a whole copy, whatever the verification says of it. An existing file is kept."""
    refuse_existing(file)
    with draft_beside(file) as draft:
        copy_site(draft)
        report, why = _look(draft, file) if is_verified else (None, "")
        size = draft.stat().st_size
        publish(draft, file)
    return Backup(file, size, report, why)


def copy_site(draft: Path) -> None:
    """The site's database as it is now, in one file."""
    if connection.vendor == "sqlite":
        sqlite_files.copy_database(Path(connection.settings_dict["NAME"]), draft)
    else:
        postgresql_programs.dump(draft)
        postgresql_programs.read_through(draft)


def _look(draft: Path, file: Path) -> tuple[Report | None, str]:
    """A copy that cannot be verified is better than none, so it is kept and the reason is told."""
    try:
        with opened_backup(draft) as alias:
            return check_backup(alias, file), ""
    except postgresql_programs.MayNotCreateDatabases:
        return None, NO_RIGHT
    except BackupRefused as refusal:
        return None, str(refusal)
