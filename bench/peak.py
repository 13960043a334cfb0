"""Runs a command and says how long it took and how much memory it needed: python -m bench.peak COMMAND …

A process of its own and a small one: a child begins with the peak of whoever started it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

KIB = 1 if sys.platform != "darwin" else 1024


@dataclass(frozen=True)
class Peak:
    exit_code: int
    seconds: float
    memory_kib: int
    output: str


def peak_of(*command: str) -> Peak:
    """Refuses to measure what did not even start."""
    arguments = [sys.executable, "-m", "bench.peak", *command]
    finished = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True)
    return Peak(**json.loads(finished.stdout))


def main(command: list[str]) -> int:
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begun
    print(json.dumps(asdict(Peak(process.returncode, seconds, usage.ru_maxrss // KIB, output))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
