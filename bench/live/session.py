"""One long reply as people see them: 10,000 tokens with five tool calls, and how each piece of it was written."""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections import Counter
from pathlib import Path

from bench.live.plan import Plan
from bench.live.processes import changed
from bench.live.serve import WRITES_FILE
from bench.live.trial import Trial, read_through
from bench.tables import milliseconds, print_table
from sessions_app.models import SessionEvent

CALLS = 5
TOKENS, TOKENS_A_SECOND = 10_000, 500
QUICK_TOKENS = 120


def measure_session(*, quick: bool) -> None:
    tokens = QUICK_TOKENS if quick else TOKENS
    seconds = tokens / (CALLS + 1) / TOKENS_A_SECOND
    plan = Plan(uuid.uuid4().hex, 1, ((TOKENS_A_SECOND, seconds),), calls=CALLS)
    with tempfile.NamedTemporaryFile(prefix="holdfast-bench-", suffix=".json") as writes:
        os.environ[WRITES_FILE] = writes.name
        trial = read_through(changed("timed_writes"), plan)
        print_session(plan, trial, sorted(json.loads(Path(writes.name).read_text(encoding="utf-8"))))


def print_session(plan: Plan, trial: Trial, writes: list[float]) -> None:
    kinds = Counter(
        SessionEvent.objects.filter(session__public_id=trial.sessions[0]).values_list("kind", flat=True)
    )
    rows = sum(kinds.values())
    shown = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    print_table(
        f"A session of {plan.tokens:,} tokens with {plan.calls} tool calls, at {TOKENS_A_SECOND} tokens a second",
        ["", "writes", "p50 of a write", "p95 of a write", "rows"],
        [
            [
                "Holdfast",
                f"{len(writes):,}",
                milliseconds(writes[len(writes) // 2]),
                milliseconds(writes[len(writes) * 95 // 100]),
                f"{rows:,}",
            ]
        ],
        f"Rows: {shown}.",
    )
