"""Shorter times, a writer that is held, a database without room, and a subscription that takes its time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection

from chat.broadcast.hub import Hub
from chat.consumers import finding
from chat.turns import runtime, supervisor
from sessions_app.services import journal, transactions, turn_lease

LOOK_SECONDS = 0.01
HELD = "held"
ALL_PAGES = 1_073_741_823


def lease_seconds(seconds: float) -> None:
    turn_lease.LEASE_SECONDS = seconds  # type: ignore[assignment]
    supervisor.RENEW_SECONDS = seconds / 4


def delay_shown_seconds(seconds: float) -> None:
    runtime.DELAY_SHOWN_SECONDS = seconds


def hold_commits(file: str) -> None:
    """While the file exists, what the journal has written stays uncommitted, and the file says HELD."""
    insert = journal._insert

    def held(cursor: Any, accepted: list[journal.Append], batch: journal.Batch) -> None:
        insert(cursor, accepted, batch)
        hold_while(Path(file))

    journal._insert = held


def hold_subscription(file: str) -> None:
    """While the file exists, whoever subscribes knows where the log ends and does not follow it yet."""
    find = finding.find_subscription

    def held(user_id: int, session: UUID) -> finding.Subscription:
        found = find(user_id, session)
        hold_while(Path(file))
        return found

    finding.find_subscription = held


def full_while(file: str) -> None:
    """While the file exists, the database may not grow by a page: SQLite says that the disk is full."""
    write_transaction = transactions.write_transaction

    @contextlib.contextmanager
    def without_room() -> Iterator[None]:
        with write_transaction():
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA max_page_count = {1 if Path(file).exists() else ALL_PAGES}")
            yield

    transactions.write_transaction = without_room


def break_poll(_: object) -> None:
    """A part of the runtime fails for a reason nobody has thought of."""

    async def broken(self: Hub) -> None:
        raise RuntimeError("broken on purpose")

    Hub.poll = broken  # type: ignore[method-assign]


def hold_while(file: Path) -> None:
    if file.exists():
        file.write_text(HELD, encoding="ascii")
    while file.exists():
        time.sleep(LOOK_SECONDS)


LIMITS: dict[str, Callable[[Any], None]] = {
    "lease_seconds": lease_seconds,
    "delay_shown_seconds": delay_shown_seconds,
    "hold_commits": hold_commits,
    "hold_subscription": hold_subscription,
    "full_while": full_while,
    "break_poll": break_poll,
}
