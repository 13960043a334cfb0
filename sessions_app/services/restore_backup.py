"""Puts a backup in the database's place: verified first, and what it replaces is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from sessions_app.errors import BackupRefused, StartupRefused
from sessions_app.models import AuditEntry, Conversation, User, Workspace
from sessions_app.services import postgresql_programs, sqlite_files
from sessions_app.services.backup_check import check_backup, opened_backup
from sessions_app.services.backup_file import draft_beside, publish, refuse_unless_backup
from sessions_app.services.instance import Mark, read_mark, record_mark
from sessions_app.services.verify import Report


@dataclass(frozen=True)
class Restored:
    """What stands now, what stood before by the instance file, and where the replaced database is kept."""

    mark: Mark
    before: Mark | None
    kept: Path | None
    report: Report | None

    @property
    def missing_events(self) -> int:
        """How many events this installation had written that the backup does not have."""
        if self.before is None or self.before.instance != self.mark.instance:
            return 0
        return max(0, self.before.events - self.mark.events)


def restore_backup(file: Path, *, replace: bool = False, is_verified: bool = True) -> Restored:
    """Afterwards the site stands on the backup and starts on it, also when it is older. Nothing is touched
    unless the backup is in order, and a database with something in it only if `replace` says so."""
    refuse_unless_backup(file, connection.vendor)
    has_content = _has_content()
    if has_content and not replace:
        raise BackupRefused(
            "The database is not empty, so it was left as it is. With --replace it is kept aside and replaced."
        )
    restore = _restore_sqlite if connection.vendor == "sqlite" else _restore_postgresql
    kept, report = restore(file, keep=has_content, is_verified=is_verified)
    before = _mark_before()
    return Restored(record_mark(), before, kept, report)


def _restore_sqlite(file: Path, *, keep: bool, is_verified: bool) -> tuple[Path | None, Report | None]:
    database = Path(connection.settings_dict["NAME"]).resolve()
    database.parent.mkdir(parents=True, exist_ok=True)
    connection.close()
    with draft_beside(database) as draft:
        sqlite_files.copy_file(file, draft)
        report = _checked(draft, file) if is_verified else None
        aside = sqlite_files.replace_database(database, draft, aside=_aside(database.parent, ".sqlite3"))
    if aside is not None and not keep:
        aside.unlink()
        return None, report
    return aside, report


def _restore_postgresql(file: Path, *, keep: bool, is_verified: bool) -> tuple[Path | None, Report | None]:
    try:
        report = _checked(file, file) if is_verified else None
    except postgresql_programs.MayNotCreateDatabases as error:
        raise BackupRefused(
            "The database's role may not create the temporary database in which a backup is verified. Give it "
            "CREATEDB for a while, or restore with --unverified; nothing was changed."
        ) from error
    if postgresql_programs.is_in_use():
        raise BackupRefused("Somebody else uses the database. Stop the server first; nothing was changed.")
    folder = Path(settings.DATA_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    kept = _aside(folder, ".dump") if keep else None
    if kept is not None:
        with draft_beside(kept) as draft:
            postgresql_programs.dump(draft)
            publish(draft, kept)
    with draft_beside(folder / "restore.sql") as script:
        postgresql_programs.replace_contents(file, script)
    connection.close()
    return kept, report


def _checked(copy: Path, file: Path) -> Report:
    with opened_backup(copy) as alias:
        report = check_backup(alias, file)
    if not report.is_clean:
        raise BackupRefused(
            f"{file} is not in order, so nothing was changed: {report.findings[0]}"
            f"{f', and {report.finding_count - 1} more' if report.finding_count > 1 else ''}."
        )
    return report


def _has_content() -> bool:
    """Whether there is anything in the database that somebody could miss. One that cannot be read counts."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return False
    try:
        tables = connection.introspection.table_names()
        if User._meta.db_table not in tables:  # noqa: SLF001 - Django's own name for something public
            return bool(tables)
        return any(model.objects.exists() for model in (User, Workspace, Conversation, AuditEntry))
    except DatabaseError:
        return True


def _aside(folder: Path, ending: str) -> Path:
    return folder / f"replaced-{timezone.now():%Y%m%d-%H%M%S-%f}{ending}"


def _mark_before() -> Mark | None:
    try:
        return read_mark()
    except StartupRefused:
        return None
