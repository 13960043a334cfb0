"""A figure that was measured, beside the one that was promised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """`measured` is at most `limit`, or the target is missed."""

    name: str
    measured: float
    limit: float
    unit: str = "×"  # noqa: RUF001 - a multiplication sign

    @property
    def is_met(self) -> bool:
        return self.measured <= self.limit

    @property
    def cells(self) -> tuple[str, str, str]:
        """What was measured, what was promised, and the verdict."""
        return self._shown(self.measured, 2), f"≤ {self._shown(self.limit, 1)}", self.verdict

    @property
    def verdict(self) -> str:
        return "met" if self.is_met else "missed"

    def __str__(self) -> str:
        measured, promised, verdict = self.cells
        return f"{self.name}: {measured} ({promised}) {verdict}"

    def _shown(self, value: float, digits: int) -> str:
        return f"{value:.{digits}f}{self.unit}"
