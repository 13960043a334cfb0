"""Writes the API's description to docs/openapi.yaml, or says that the file is not what the code would write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.api.documents import schema_text


class Command(BaseCommand):
    help = "Writes docs/openapi.yaml, the description of the REST API."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail where it has changed")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        path, text = Path(settings.BASE_DIR) / "docs" / "openapi.yaml", schema_text()
        if not check:
            path.write_bytes(text)
        elif not path.exists() or path.read_bytes() != text:
            raise CommandError("docs/openapi.yaml is not up to date; run manage.py write_schema.")
