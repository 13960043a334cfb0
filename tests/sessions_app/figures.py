"""How long things took, in a line that a person can read in the report of a run."""

from __future__ import annotations

from collections.abc import Sequence


def figures(name: str, seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    at = {share: ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 for share in (0.5, 0.95)}
    return (
        f"{name}: {len(ordered)} transactions, p50 {at[0.5]:.1f} ms, p95 {at[0.95]:.1f} ms, "
        f"max {ordered[-1] * 1000:.1f} ms"
    )
