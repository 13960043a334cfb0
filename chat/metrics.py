"""What is counted and timed, for /metrics."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

COMMIT_SECONDS = Histogram(
    "holdfast_commit_seconds",
    "How long the journal's commits take.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30),
)
BATCH_EVENTS = Histogram(
    "holdfast_batch_events",
    "How many events a commit of the journal holds.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
)
TURNS_ENDED = Counter("holdfast_turns_ended", "Turns that have ended in this process.", ["state"])
TURNS_RUNNING = Gauge("holdfast_turns_running", "Turns that this process runs now.")
PIECES = Counter("holdfast_agent_pieces", "Pieces of text and reasoning that agents have sent.")
SOCKETS = Gauge("holdfast_sockets", "Open sockets of this process.")
JOURNAL_DELAY = Gauge(
    "holdfast_journal_delay_seconds", "How long the oldest event has waited for its commit."
)
