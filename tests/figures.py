"""Figures that tests measure, printed together at the end of a run, whichever worker measured them."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

PROPERTY = "figure"
PrintFigure = Callable[[str], None]


@pytest.fixture
def print_figure(record_property: Callable[[str, object], None]) -> PrintFigure:
    """Takes one line. What a worker prints itself, nobody sees."""
    return functools.partial(record_property, PROPERTY)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = [
        f"{value}"
        for reports in (terminalreporter.getreports(outcome) for outcome in ("passed", "failed"))
        for report in reports
        for name, value in report.user_properties
        if name == PROPERTY and report.when == "call"
    ]
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.write_line(line)
