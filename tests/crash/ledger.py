"""A pytest plugin: counts the trials of each fault and says at the end how many failed, one line a fault."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

PROPERTY = "trials"
# What `make test` has time for; `make crash-test` says more.
TRIALS = int(os.environ.get("TRIALS", "0"))

Count = Callable[[int], None]


def rounds(usual: int, *, trials_each: int = 1) -> pytest.MarkDecorator:
    """Runs a test that often: `usual` times, or until it has made TRIALS trials."""
    count = -(-TRIALS // trials_each) if TRIALS else usual
    return pytest.mark.parametrize("seed", range(count))


def rarely(usual: int = 1, *, share: int = 10) -> pytest.MarkDecorator:
    """For what takes long and depends little on chance: one round for so many trials of the others."""
    return pytest.mark.parametrize("seed", range(max(usual, TRIALS // share)))


@pytest.fixture
def count_trials(request: pytest.FixtureRequest) -> Count:
    """Called with how many times a test has injected its fault; without that it counts as once."""
    return lambda trials: request.node.user_properties.append((PROPERTY, trials))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fault(name): which fault of docs/faults.md a test injects")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The name travels with the report, which xdist brings to the process that prints."""
    for item in items:
        if marker := item.get_closest_marker("fault"):
            item.user_properties.append(("fault", marker.args[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    trials: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.getreports(outcome):
            properties = dict(getattr(report, "user_properties", ()))
            if fault := properties.get("fault"):
                trials[fault] += int(properties.get(PROPERTY, 1))
                failures[fault] += outcome != "passed"
    if trials:
        terminalreporter.section("Faults")
    for fault in sorted(trials, key=_order):
        terminalreporter.line(f"{fault}: {trials[fault]} trials, {failures[fault]} failures")


def _order(fault: str) -> tuple[int, str]:
    """F2 before F10."""
    number = fault.split(" ", 1)[0].removeprefix("F")
    return (int(number) if number.isdigit() else 0, fault)
