"""Reads everything and says whether it is in order."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from sessions_app.management.reporting import ProgressBar, described, remembering
from sessions_app.models import Workspace
from sessions_app.services.health import record_verify
from sessions_app.services.verify import Report, verify


class Command(BaseCommand):
    help = "Reads everything and says whether it is in order; changes nothing. Exits with 1 where it is not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--workspace", metavar="SLUG", help="only the conversations of this workspace")
        parser.add_argument("--json", action="store_true", help="one JSON document instead of sentences")

    def handle(self, *args: Any, workspace: str | None, **options: Any) -> None:
        with ProgressBar(sys.stderr) as bar:
            report = verify(workspace=workspace_called(workspace), progress=bar.show)
        with remembering(self.stderr):
            record_verify(report, workspace=workspace)
        self.stdout.write(as_json(report) if options["json"] else described(report))
        if not report.is_clean:
            sys.exit(1)


def workspace_called(slug: str | None) -> Workspace | None:
    if slug is None:
        return None
    try:
        found = Workspace.objects.filter(slug=slug).first()
    except DatabaseError as error:
        raise CommandError(f"The database cannot be read: {str(error).strip()}.") from error
    if found is None:
        raise CommandError(f"There is no workspace called {slug}.")
    return found


def as_json(report: Report) -> str:
    return json.dumps(
        {
            "in_order": report.is_clean,
            "finding_count": report.finding_count,
            "findings": [asdict(finding) for finding in report.findings],
            "counts": report.counts,
            "seconds": round(report.seconds, 3),
        },
        indent=2,
    )
