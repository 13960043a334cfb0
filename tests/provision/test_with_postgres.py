"""A command with a server of its own: it gets the address, and its exit code is the answer."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SHOW_URL = "import os, sys; print(os.environ['DATABASE_URL'], flush=True); "


def with_postgres(*command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.provision.with_postgres", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def folder_in(url: str) -> Path:
    found = re.fullmatch(r"postgres://holdfast@:\d+/(/.+)/holdfast\s*", url)
    assert found
    return Path(found[1])


@pytest.mark.parametrize("code", [0, 7])
def test_the_commands_exit_code_is_passed_on_and_nothing_is_left(code: int) -> None:
    process = with_postgres(sys.executable, "-c", f"{SHOW_URL}sys.exit({code})")
    shown, problems = process.communicate(timeout=60)
    assert process.returncode == code, problems
    assert not folder_in(shown).exists()


def test_the_command_reaches_the_server() -> None:
    question = (
        "import os; from config.databases import postgresql; import psycopg; "
        "found = postgresql(os.environ['DATABASE_URL']); "
        "psycopg.connect(host=found['HOST'], port=found['PORT'], user=found['USER'], dbname=found['NAME']); "
        "print('reached')"
    )
    process = with_postgres("--", sys.executable, "-c", question)
    shown, problems = process.communicate(timeout=60)
    assert (process.returncode, shown) == (0, "reached\n"), problems


def test_sigterm_ends_the_command_and_then_the_server() -> None:
    process = with_postgres(
        sys.executable, "-c", f"{SHOW_URL}import time; print(os.getpid(), flush=True); time.sleep(60)"
    )
    assert process.stdout is not None
    folder, command = folder_in(process.stdout.readline()), int(process.stdout.readline())
    server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert not folder.exists()
    for number in (command, server):
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


@pytest.mark.parametrize("words", [[], ["--"], ["no-such-program", "-q"]])
def test_without_a_command_it_says_how_to_name_one(words: list[str]) -> None:
    process = with_postgres(*words)
    _, problems = process.communicate(timeout=60)
    assert process.returncode == 2
    assert problems.startswith("Name a command")
    assert len(problems.splitlines()) == 1
