"""What it costs to take a conversation out and to bring it in: seconds, and memory that does not grow."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from bench.peak import Peak, peak_of
from bench.tables import print_table
from bench.targets import Target
from bench.transcripts import Cast, cast, conversation_with
from sessions_app.models import Workspace
from sessions_app.services.instance import record_mark

MESSAGES, QUICK_MESSAGES = (100, 100_000), (100, 1_000)
TEXTS = 4
LIMIT_MEMORY = 1.2
FORMS = ("jsonl", "json", "markdown")


@dataclass(frozen=True)
class Costs:
    """By what was done; the import is a dry run, which reads all of it, since it is here already."""

    size_bytes: int
    peaks: dict[str, Peak]


def measure(*, quick: bool) -> list[Target]:
    few, many = QUICK_MESSAGES if quick else MESSAGES
    people = cast()
    record_mark()
    return report(few, costs(people, few), many, costs(people, many))


def costs(people: Cast, messages: int) -> Costs:
    conversation = conversation_with(people, exchanges=messages // 2, texts=TEXTS)
    other = Workspace.objects.get_or_create(name="Reef", slug="reef")[0]
    peaks: dict[str, Peak] = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        for form in FORMS:
            file = Path(folder) / f"out.{form}"
            name = str(conversation.public_id)
            peaks[f"export as {form}"] = command(
                "export_conversation", name, "--form", form, "--to", str(file)
            )
        whole = Path(folder) / "out.jsonl"
        peaks["check of a file"] = command("import_conversation", str(whole), "--workspace", other.slug)
        size = whole.stat().st_size
    return Costs(size, peaks)


def command(*arguments: str) -> Peak:
    connection.close()
    peak = peak_of(sys.executable, "manage.py", *arguments)
    if peak.exit_code != 0:
        raise AssertionError(f"{arguments[0]} failed: {peak.output}")
    return peak


def report(few: int, small: Costs, many: int, large: Costs) -> list[Target]:
    targets = [
        Target(
            f"memory of an {name}, {many:,} messages to {few:,}",
            large.peaks[name].memory_kib / small.peaks[name].memory_kib,
            LIMIT_MEMORY,
        )
        for name in large.peaks
    ]
    print_table(
        "What an export costs",
        ["", "messages", "time", "messages/s", "peak memory"],
        [
            row(name, count, found)
            for count, of in ((few, small), (many, large))
            for name, found in of.peaks.items()
        ],
        f"{many:,} messages are {large.size_bytes / 1_000_000:.0f} MB as JSONL.",
    )
    print_table(
        "What was promised of it",
        ["", "measured", "target", ""],
        [[target.name, *target.cells] for target in targets],
        "Each time a fresh process, its start included.",
    )
    return targets


def row(name: str, messages: int, peak: Peak) -> list[str]:
    return [
        name,
        f"{messages:,}",
        f"{peak.seconds:.2f} s",
        f"{messages / peak.seconds:,.0f}",
        f"{peak.memory_kib / 1024:.1f} MiB",
    ]
