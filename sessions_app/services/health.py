"""Remembers beside the database when it was last verified and backed up, and how that went."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from sessions_app.services.backup import Backup
from sessions_app.services.instance import replace_file
from sessions_app.services.verify import Report

FILE_NAME = "health.json"
FINDINGS_KEPT = 20


@dataclass(frozen=True)
class Health:
    """`last_verify` and `last_backup` are as they were recorded, with their time as `at`; None where never."""

    last_verify: dict[str, Any] | None
    last_backup: dict[str, Any] | None
    size_bytes: int


def health_file() -> Path:
    return Path(settings.DATA_DIR) / FILE_NAME


def record_verify(report: Report, *, workspace: str | None = None) -> None:
    _record(
        "verify",
        workspace=workspace,
        is_clean=report.is_clean,
        finding_count=report.finding_count,
        findings=[asdict(finding) for finding in report.findings[:FINDINGS_KEPT]],
        counts=report.counts,
        seconds=round(report.seconds, 3),
    )


def record_backup(backup: Backup) -> None:
    report = backup.report
    _record(
        "backup",
        file=str(backup.file),
        size_bytes=backup.size_bytes,
        is_clean=report.is_clean if report else None,
        why_unverified=backup.why_unverified,
    )


def read_health() -> Health:
    """What is known here; a file that cannot be read counts as nothing known."""
    kept = _read()
    return Health(_with_time(kept.get("verify")), _with_time(kept.get("backup")), database_bytes())


def database_bytes() -> int:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        [(size,)] = cursor.fetchall()
        return int(size)


def _record(what: str, **facts: Any) -> None:
    kept = _read() | {what: {"at": timezone.now().isoformat(), **facts}}
    replace_file(health_file(), json.dumps(kept, indent=2) + "\n")


def _read() -> dict[str, Any]:
    try:
        kept = json.loads(health_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _with_time(kept: Any) -> dict[str, Any] | None:
    try:
        return {**kept, "at": datetime.fromisoformat(kept["at"])}
    except (TypeError, KeyError, ValueError):
        return None
