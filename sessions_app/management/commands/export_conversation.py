"""Writes one conversation out: to a file, or to whatever reads the output."""

from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import HoldfastError
from sessions_app.management.finding import conversation_called
from sessions_app.management.moving import shell_origin
from sessions_app.services.transfer.forms import Form, open_form


class Command(BaseCommand):
    help = (
        "Writes a conversation out, whole, and says so in the workspace's audit log; changes nothing in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("conversation", metavar="KEY", help="its key or id")
        parser.add_argument(
            "--workspace", metavar="SLUG", help="whose conversation, where several have the key"
        )
        parser.add_argument("--form", choices=Form.values, default=Form.JSONL)
        parser.add_argument("--to", metavar="FILE", type=Path, help="a new file; without it the output")

    def handle(self, *args: Any, **options: Any) -> None:
        found = conversation_called(options["conversation"], workspace=options["workspace"])
        try:
            origin = shell_origin("export_conversation")
            pieces = open_form(found, form=Form(options["form"]), by=None, origin=origin)
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["to"] is None:
            self.stdout.ending = ""
            for piece in pieces:
                self.stdout.write(piece)
            return
        with new_file(options["to"]) as file:
            file.writelines(pieces)
        self.stderr.write(f"Wrote {options['to']} ({options['to'].stat().st_size / 1_000_000:.1f} MB).")


def new_file(path: Path) -> TextIO:
    try:
        return path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError as error:
        raise CommandError(f"{path} exists and is kept; name a new file.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
