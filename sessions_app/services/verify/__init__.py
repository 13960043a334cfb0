"""Walks everything that is remembered and says what is not as it must be; it changes nothing.

One pass over each table, all of them in one consistent view: people go on writing, and nothing they write
meanwhile is mistaken for a fault.
"""

from __future__ import annotations

import time
from collections import Counter

from django.db import DEFAULT_DB_ALIAS, DatabaseError

from sessions_app.models import Workspace
from sessions_app.services.verify.audit_log import check_audit_log
from sessions_app.services.verify.findings import Finding, Findings, Report
from sessions_app.services.verify.pointers import check_pointers
from sessions_app.services.verify.search_index import check_search_index
from sessions_app.services.verify.sessions import check_sessions
from sessions_app.services.verify.storage import check_storage
from sessions_app.services.verify.view import Progress, View, consistent_view

__all__ = ["Finding", "Progress", "Report", "verify"]

COUNTED = ("conversations", "sessions", "events", "messages", "turns", "checkpoints", "audit entries")


def verify(
    *,
    using: str = DEFAULT_DB_ALIAS,
    workspace: Workspace | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report on a whole database, or on one workspace of it. A database that cannot be read is a finding."""
    begun = time.monotonic()
    found, counts = Findings(), Counter[str](dict.fromkeys(COUNTED, 0))
    try:
        with consistent_view(using, workspace.pk if workspace else None, progress) as view:
            _check(view, found, counts)
    except DatabaseError as error:
        found.add("storage", "database", f"it cannot be read: {' '.join(str(error).split())}")
    return Report(tuple(found.kept), found.count, dict(counts), time.monotonic() - begun)


def _check(view: View, found: Findings, counts: Counter[str]) -> None:
    check_storage(view, found)
    check_sessions(view, found, counts)
    check_pointers(view, found, counts)
    check_audit_log(view, found, counts)
    if view.workspace_id is None:
        check_search_index(view, found)
