"""Reads the audit log: as lines, JSON, JSONL or CSV, and verifies its chains."""

import json
import sys
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from django.utils import timezone

from sessions_app.management.finding import conversation_called
from sessions_app.models import Action, AuditEntry, Trigger
from sessions_app.services.audit import chain_of
from sessions_app.services.audit_check import ChainReport, verify_chains
from sessions_app.services.audit_export import CHUNK, as_csv, as_jsonl, entry_facts


class Command(BaseCommand):
    help = "Reads the audit log; changes nothing. With --verify it exits with 1 where a chain is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "conversation", nargs="?", metavar="KEY", help="only of this conversation (key or id)"
        )
        parser.add_argument(
            "--workspace", metavar="SLUG", help="whose conversation, where several have the key"
        )
        parser.add_argument("--action", choices=Action.values)
        parser.add_argument("--trigger", choices=Trigger.values)
        parser.add_argument("--search", metavar="WORDS", help="anything that an entry says")
        parser.add_argument("--since", metavar="TIME", help="as in 2026-01-31 or 2026-01-31T12:00")
        parser.add_argument("--verify", action="store_true", help="verify the chains of what is read")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="one JSON document")
        form.add_argument("--jsonl", action="store_true", help="one JSON object a line")
        form.add_argument("--csv", action="store_true", help="for a spreadsheet")

    def handle(self, *args: Any, **options: Any) -> None:
        entries = chosen(options)
        report = (
            verify_chains(entries.values_list("chain", flat=True).distinct()) if options["verify"] else None
        )
        self.tell(entries, report, options)
        if report is not None and not report.is_sound:
            sys.exit(1)

    def tell(
        self, entries: QuerySet[AuditEntry], report: ChainReport | None, options: dict[str, Any]
    ) -> None:
        if options["json"]:
            facts = [entry_facts(entry) for entry in entries]
            document = {"entries": facts, "chains": as_facts(report) if report else None}
            self.stdout.write(json.dumps(document, indent=2, ensure_ascii=False))
            return
        write = as_csv if options["csv"] else as_jsonl if options["jsonl"] else as_lines
        for line in write(entries.iterator(CHUNK)):
            self.stdout.write(line, ending="")
        if report is not None:
            self.tell_chains(report)

    def tell_chains(self, report: ChainReport) -> None:
        if report.is_sound:
            self.stderr.write(f"{report.entries} entries of {report.chains} chains are unbroken.")
        for finding in report.findings:
            self.stderr.write(str(finding))


def chosen(options: dict[str, Any]) -> QuerySet[AuditEntry]:
    entries = AuditEntry.objects.order_by("at", "pk")
    if options["conversation"]:
        found = conversation_called(options["conversation"], workspace=options["workspace"])
        entries = entries.filter(chain=chain_of(found))
    for name in ("action", "trigger"):
        if options[name]:
            entries = entries.filter(**{name: options[name]})
    if options["search"]:
        entries = entries.filter(facts__icontains=options["search"])
    return entries.filter(at__gte=since(options["since"])) if options["since"] else entries


def since(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--since must be a time such as 2026-01-31T12:00, not “{text}”.") from error
    return at if timezone.is_aware(at) else timezone.make_aware(at)


def as_lines(entries: Any) -> Any:
    for entry in entries:
        told = entry.told
        old, new = told.get("old_session"), told.get("new_session")
        moved = f"  session {old['number']} ({old['messages']}) → {new['number']}" if old and new else ""
        reason = f"  “{told['reason']}”" if told.get("reason") else ""
        yield (
            f"{entry.at:%Y-%m-%d %H:%M:%S}  {entry.action}  {told.get('key', entry.chain)}{moved}"
            f"  by {told['actor_name']} ({entry.trigger}){reason}\n"
        )


def as_facts(report: ChainReport) -> dict[str, Any]:
    findings = [str(finding) for finding in report.findings]
    return {
        "chains": report.chains,
        "entries": report.entries,
        "sound": report.is_sound,
        "findings": findings,
    }
