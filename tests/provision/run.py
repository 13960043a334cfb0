"""Runs every test on SQLite, those in a browser apart, then those of both engines on PostgreSQL; adds them up."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, parse

from tests.provision.chromium import chromium
from tests.provision.commands import CannotProvide
from tests.provision.postgres_binaries import postgres_binaries
from tests.provision.temporary_postgres import temporary_postgres

ON_BOTH_ENGINES = (
    "tests/sessions_app",
    "tests/chat/api",
    "tests/chat/broadcast",
    "tests/chat/consumers",
    "tests/chat/pages/test_texts.py",
    "tests/chat/turns",
)
PYTEST = (sys.executable, "-m", "pytest", "-n", "logical")
SOME_FAILED = 1
NO_TEST_CHOSEN = 5
# Playwright leaves an event loop running in its process, in which no test with one of its own can run.
IN_A_BROWSER = "tests/browser"


@dataclass(frozen=True)
class Outcome:
    engine: str
    passed: int
    failed: int
    exit_code: int


def main(arguments: Sequence[str]) -> int:
    begun = time.monotonic()
    try:
        chromium()
        postgres_binaries()
    except CannotProvide as error:
        print(error, file=sys.stderr)
        return 1
    outcomes = [on_sqlite(arguments), in_a_browser(arguments), on_postgres(arguments)]
    report(outcomes, time.monotonic() - begun)
    return max(outcome.exit_code for outcome in outcomes)


def on_sqlite(arguments: Sequence[str]) -> Outcome:
    return run("SQLite", ["tests", f"--ignore={IN_A_BROWSER}", *arguments], without_database())


def in_a_browser(arguments: Sequence[str]) -> Outcome:
    """What fails is tried once more with the machine to itself: a browser that got no time is no defect, and
    what is broken fails again. The run says which tests needed it."""
    outcome = run("SQLite in a browser", [IN_A_BROWSER, *arguments], without_database())
    if outcome.exit_code != SOME_FAILED:
        return outcome
    alone = [IN_A_BROWSER, "--last-failed", "-n", "0", *arguments]
    again = run("SQLite in a browser, once more, one at a time", alone, without_database())
    recovered = outcome.failed - again.failed
    print(f"\n{recovered} of {outcome.failed} passed the second time; the list above says which they were.")
    return Outcome(outcome.engine, outcome.passed + recovered, again.failed, again.exit_code)


def without_database() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}


def on_postgres(arguments: Sequence[str]) -> Outcome:
    with temporary_postgres() as server:
        folders = [folder for folder in ON_BOTH_ENGINES if Path(folder).is_dir()]
        return run("PostgreSQL", [*folders, *arguments], {**os.environ, "DATABASE_URL": server.url})


def run(engine: str, arguments: Sequence[str], environment: dict[str, str]) -> Outcome:
    print(f"\nTests on {engine}", flush=True)
    with tempfile.TemporaryDirectory(prefix="holdfast-report-") as folder:
        report_file = Path(folder) / "report.xml"
        command = [*PYTEST, f"--junit-xml={report_file}", *arguments]
        code = subprocess.run(command, env=environment, check=False).returncode
        total, failed = counts(report_file)
    # A choice such as ARGS="-k login" may leave one engine without a test.
    acceptable = code == NO_TEST_CHOSEN and "-k" in arguments
    return Outcome(engine, total - failed, failed, 0 if acceptable else code)


def counts(report_file: Path) -> tuple[int, int]:
    """How many tests ran, and how many of them did not pass."""
    if not report_file.exists():
        return 0, 0
    suites = parse(report_file).getroot().iter("testsuite")
    numbers = [(int(s.get("tests", 0)), unwell(s)) for s in suites]
    return sum(total for total, _ in numbers), sum(failed for _, failed in numbers)


def unwell(suite: Element) -> int:
    return sum(int(suite.get(kind, 0)) for kind in ("failures", "errors", "skipped"))


def report(outcomes: Sequence[Outcome], seconds: float) -> None:
    print()
    for outcome in outcomes:
        verdict = "passed" if outcome.exit_code == 0 else f"failed, pytest's exit code is {outcome.exit_code}"
        total = outcome.passed + outcome.failed
        print(f"{outcome.engine}: {outcome.passed} of {total} tests passed ({verdict})")
    print(f"In {seconds:.0f} s, all together:")
    print(f"{sum(o.passed for o in outcomes)} passed, {sum(o.failed for o in outcomes)} failed", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
