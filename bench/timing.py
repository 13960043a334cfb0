"""Times what is compared in turns, so that a noisy moment of the machine falls on all of it alike."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

# Longer than the room a writer leaves to other processes on SQLite, so that it is not part of a figure.
IDLE_SECONDS = 0.002


def medians(trials: Mapping[Key, Callable[[], float]], *, rounds: int) -> dict[Key, float]:
    """The median of each trial's seconds. Every round runs all of them, each time in another order."""
    taken: dict[Key, list[float]] = {name: [] for name in trials}
    names, chance = list(trials), random.Random(1)
    for number in range(rounds + 1):
        chance.shuffle(names)
        for name in names:
            seconds = trials[name]()
            if number > 0:  # the first round warms caches
                taken[name].append(seconds)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def seconds_of(action: Callable[[], object], *, idle: float = IDLE_SECONDS) -> float:
    """How long the action takes after a moment of rest."""
    if idle:
        time.sleep(idle)
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun
