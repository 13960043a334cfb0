"""What `manage.py verify` costs: a million events, in seconds and in memory."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from bench.peak import Peak, peak_of
from bench.tables import print_table
from bench.targets import Target
from bench.transcripts import Cast, cast, conversation_with, extend
from sessions_app.models import Conversation
from sessions_app.services.instance import record_mark

EVENTS, QUICK_EVENTS = (100_000, 1_000_000), (2_000, 10_000)
TEXTS = 16
EVENTS_PER_EXCHANGE = TEXTS + 4  # posted, started, the texts, ended, sealed
SMALL_CONVERSATIONS = 50
LIMIT_SECONDS, LIMIT_MEMORY = 60.0, 1.2


@dataclass
class Site:
    """Half of the events are in one long session, the other half in fifty shorter ones."""

    people: Cast
    conversations: list[Conversation]
    events: int = 0

    def grow_to(self, events: int) -> None:
        exchanges, self.events = (events - self.events) // EVENTS_PER_EXCHANGE, events
        long, *small = self.conversations
        extend(long, self.people, exchanges=exchanges // 2, texts=TEXTS)
        for conversation in small:
            extend(conversation, self.people, exchanges=exchanges // 2 // len(small), texts=TEXTS)


def measure(*, quick: bool) -> list[Target]:
    few, many = QUICK_EVENTS if quick else EVENTS
    people = cast()
    site = Site(
        people, [conversation_with(people, exchanges=0, texts=TEXTS) for _ in range(1 + SMALL_CONVERSATIONS)]
    )
    return report(verified(site, few), verified(site, many), few, many)


def verified(site: Site, events: int) -> Peak:
    site.grow_to(events)
    record_mark()
    peak = peak_of(sys.executable, "manage.py", "verify", "--json")
    found = json.loads(peak.output)
    if peak.exit_code != 0 or found["counts"]["events"] < events:
        raise AssertionError(f"verify disagrees with what was written: {peak.output}")
    return peak


def report(small: Peak, large: Peak, few: int, many: int) -> list[Target]:
    targets = [
        Target(f"verify of {many:,} events", large.seconds, LIMIT_SECONDS, " s"),
        Target(
            f"memory of verify, {many:,} events to {few:,}", large.memory_kib / small.memory_kib, LIMIT_MEMORY
        ),
    ]
    print_table(
        "What verify costs",
        ["events", "time", "events/s", "peak memory"],
        [row(few, small), row(many, large)],
    )
    print_table(
        "What was promised of it",
        ["", "measured", "target", ""],
        [[target.name, *target.cells] for target in targets],
        "Each time a fresh process, its start included; all of it was found in order.",
    )
    return targets


def row(events: int, peak: Peak) -> list[str]:
    return [
        f"{events:,}",
        f"{peak.seconds:.2f} s",
        f"{events / peak.seconds:,.0f}",
        f"{peak.memory_kib / 1024:.1f} MiB",
    ]
