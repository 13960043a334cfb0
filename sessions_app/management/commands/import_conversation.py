"""Takes an exported conversation into a workspace."""

import json
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import HoldfastError
from sessions_app.management.moving import shell_origin
from sessions_app.models import Workspace
from sessions_app.services.transfer.importing import Imported, Plan, import_conversation, plan_import
from sessions_app.services.transfer.telling import plan_facts, plan_sentences


class Command(BaseCommand):
    help = "Takes an exported conversation into a workspace. Without --yes it only looks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="an export as JSONL or JSON")
        parser.add_argument("--workspace", metavar="SLUG", required=True, help="where it is to come")
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")
        parser.add_argument("--json", action="store_true", help="one JSON document instead of sentences")

    def handle(self, *args: Any, file: Path, workspace: str, **options: Any) -> None:
        team = Workspace.objects.filter(slug=workspace).first()
        if team is None:
            raise CommandError(f"There is no workspace {workspace}.")
        try:
            with opened(file) as source:
                if options["yes"]:
                    origin = shell_origin("import_conversation")
                    found = import_conversation(source, workspace=team, by=None, origin=origin)
                    self.tell_done(found, as_json=options["json"])
                else:
                    self.tell_plan(plan_import(source, workspace=team, by=None), as_json=options["json"])
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal

    def tell_plan(self, plan: Plan, *, as_json: bool) -> None:
        if as_json:
            facts = {"done": False, **plan_facts(plan)}
            self.stdout.write(json.dumps(facts, indent=2, default=str, ensure_ascii=False))
            return
        for sentence in plan_sentences(plan):
            self.stdout.write(sentence)
        if not plan.conflict and plan.here is None:
            self.stdout.write("Nothing was changed. Say --yes to import it.")

    def tell_done(self, found: Imported, *, as_json: bool) -> None:
        conversation = found.conversation
        if as_json:
            facts = {"done": True, "conversation": conversation.public_id, "is_new": found.is_new}
            self.stdout.write(json.dumps(facts, indent=2, default=str))
            return
        became = "was imported" if found.is_new else "is here already, just so; nothing was changed"
        self.stdout.write(f"{conversation.key} {became}.")


def opened(file: Path) -> IO[bytes]:
    try:
        return file.open("rb")
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
