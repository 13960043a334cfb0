"""Builds the search index anew from what is sealed."""

import time
from typing import Any

from django.core.management.base import BaseCommand

from sessions_app.services.search.upkeep import rebuild


class Command(BaseCommand):
    help = "Builds the search index anew; people can go on working, and find what is in it again so far."

    def handle(self, *args: Any, **options: Any) -> None:
        begun = time.monotonic()
        count = rebuild()
        self.stdout.write(f"The index has {count:,} entries, built in {time.monotonic() - begun:.1f} s.")
