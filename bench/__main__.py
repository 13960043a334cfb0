"""Measures Holdfast: python -m bench [part …] [--postgres] [--quick]"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from os import cpu_count
from pathlib import Path

from bench.ending import end_with_clean_up_on_signals, run_to_its_end
from bench.parts import ONLY_WHEN_NAMED, PARTS
from bench.sites import temporary_site
from bench.targets import Target


def main(arguments: Sequence[str]) -> int:
    """Missing a target is no failure, since machines are noisy; the last lines say which were missed."""
    options = parsed(arguments)
    end_with_clean_up_on_signals()
    begun = time.monotonic()
    engine = "PostgreSQL" if options.postgres else "SQLite"
    print(f"Holdfast on {engine}, Python {platform.python_version()}, {cpu_count()} cores", flush=True)
    targets: list[Target] = []
    for part in options.parts or [part for part in PARTS if part not in ONLY_WHEN_NAMED]:
        measured = run_part(part, postgres=options.postgres, quick=options.quick)
        if measured is None:
            return 1
        targets += measured
    print_summary(targets, seconds=time.monotonic() - begun)
    return 0


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures, and prints tables.")
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="part",
        help=f"one of {', '.join(PARTS)}; all of them but {', '.join(ONLY_WHEN_NAMED)} if none",
    )
    parser.add_argument("--postgres", action="store_true", help="on a temporary PostgreSQL, not on SQLite")
    parser.add_argument("--quick", action="store_true", help="small: shows that it runs, not how fast")
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}")
    return options


def run_part(part: str, *, postgres: bool, quick: bool) -> list[Target] | None:
    """Runs in a process of its own, since Django's settings are read once; None when it failed."""
    with (
        temporary_site(postgres=postgres) as environment,
        tempfile.NamedTemporaryFile(prefix="holdfast-bench-", suffix=".json") as results,
    ):
        command = [sys.executable, "-m", "bench.parts", part, results.name, *(["--quick"] if quick else [])]
        if run_to_its_end(command, environment=environment) != 0:
            print(f"The part {part} failed.", file=sys.stderr)
            return None
        return [Target(**found) for found in json.loads(Path(results.name).read_text(encoding="utf-8"))]


def print_summary(targets: Sequence[Target], *, seconds: float) -> None:
    missed = [target for target in targets if not target.is_met]
    for target in missed:
        print(f"Missed: {target}")
    print(f"{len(targets) - len(missed)} of {len(targets)} targets met in {seconds:.0f} s.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
