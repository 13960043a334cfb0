"""The parts of the benchmark, and the process that runs one of them on its own site."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import django
from django.core.management import call_command

from bench.ending import end_with_clean_up_on_signals

PARTS = {
    "history_length": "bench.history_length",
    "append": "bench.append",
    "verify": "bench.verify",
    "page": "bench.page",
    "rest": "bench.rest.run",
    "search": "bench.search",
    "export": "bench.export",
    "live": "bench.live.run",
    "memory": "bench.live.memory",
}
ONLY_WHEN_NAMED = ("memory",)  # it takes ten minutes


def main(arguments: Sequence[str]) -> int:
    """The part's tables go to the terminal, its targets into the file that was named."""
    part, results, *flags = arguments
    end_with_clean_up_on_signals()
    django.setup()
    call_command("migrate", verbosity=0)
    # A part imports the models, which only works from here on.
    targets = importlib.import_module(PARTS[part]).measure(quick="--quick" in flags)
    Path(results).write_text(json.dumps([asdict(target) for target in targets]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
