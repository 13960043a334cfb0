"""A pytest plugin: a test that is skipped or expected to fail fails the run, and is named."""

import pytest

NAMES = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Only the process that prints the result keeps the list; xdist brings it the workers' reports."""
    config.stash[NAMES] = []
    config.pluginmanager.register(Watcher(config.stash[NAMES]), "no_skips_watcher")


class Watcher:
    def __init__(self, names: list[str]) -> None:
        self.names = names

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or hasattr(report, "wasxfail"):
            self.names.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.names.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.names and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.names:
            terminalreporter.section("Skipped or expected to fail, which is a failure here", red=True)
            for name in sorted(set(self.names)):
                terminalreporter.line(name, red=True)
