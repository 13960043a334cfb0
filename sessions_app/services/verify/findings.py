"""What a verification says: its findings, how much it read, and how long that took."""

from __future__ import annotations

from dataclasses import dataclass

MOST_KEPT = 1000


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it must be: which check saw it, where, and what it saw."""

    check: str
    where: str
    says: str

    def __str__(self) -> str:
        return f"{self.check}: {self.where}: {self.says}"


class Findings:
    """Keeps the first findings and counts the others: a ruined database does not fill the memory too."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.count = 0

    def add(self, check: str, where: object, says: str) -> None:
        self.count += 1
        if len(self.kept) < MOST_KEPT:
            self.kept.append(Finding(check, str(where), says))


@dataclass(frozen=True)
class Report:
    """`findings` holds the first ones; `finding_count` says how many there are."""

    findings: tuple[Finding, ...]
    finding_count: int
    counts: dict[str, int]
    seconds: float

    @property
    def is_clean(self) -> bool:
        return self.finding_count == 0


def missing(noun: str, first: int, last: int) -> str:
    return f"{noun} {first} is missing" if first == last else f"{noun} {first} to {last} are missing"
