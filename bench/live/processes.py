"""Starts the three kinds of process of a run: who emits, who serves, who listens."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bench.live.listener import Heard, Job
from bench.live.meters import Meter
from bench.live.tally import Latency

AS_IT_IS = ("manage.py",)
STOP_SECONDS = 30


def changed(change: str) -> tuple[str, ...]:
    return "-m", "bench.live.serve", change


@contextlib.contextmanager
def emitter() -> Iterator[tuple[int, str]]:
    """Its process id, and its host and port."""
    with _started(["-m", "bench.live.emitter"]) as process:
        yield process.pid, f"127.0.0.1:{_first_line(process)}"


@contextlib.contextmanager
def server(program: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Serves this part's site; ended as an operator would, so that its turns are handed on or done."""
    command = [*program, "serve", "--port", "0"] if program == AS_IT_IS else [*program, "--port", "0"]
    with _started(command) as process:
        yield (
            process.pid,
            _first_line(process).rstrip("/").rpartition("/")[2].replace("localhost", "127.0.0.1"),
        )


def listen(job: Job) -> tuple[Heard, Meter]:
    """Runs the readers to their end; the meter tells what they themselves have cost."""
    command = [sys.executable, "-m", "bench.live.listener"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        with Meter(process.pid) as meter:
            output, _ = process.communicate(json.dumps(asdict(job)))
        if process.returncode != 0:
            raise AssertionError("the readers have failed")
    return _as_heard(json.loads(output)), meter


def _as_heard(found: dict[str, Any]) -> Heard:
    return Heard(**found | {"steps": [Latency(**step) for step in found["steps"]]})


@contextlib.contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if not line:
        raise AssertionError(f"{' '.join(map(str, process.args))} did not start")  # type: ignore[arg-type]
    return line
