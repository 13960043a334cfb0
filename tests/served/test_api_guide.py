"""docs/api.md is true: its examples run as they stand, in one shell, and its table has every code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import chat.api.urls  # noqa: F401 - it brings every refusal of the API
from chat.api.errors import CODES
from sessions_app.errors import HoldfastError
from tests.browser.site import ROOT, Site
from tests.provision.curl import curl

GUIDE = ROOT / "docs" / "api.md"
BLOCK = re.compile(r"^```(sh|python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ADDRESS, PYTHON = "http://localhost:8000", ".venv/bin/python"
DONE = "--- done:"
SECONDS = 120
# Refusals of commands, of start-up and between processes; no script ever meets them.
ELSEWHERE = {"refused", "startup_refused", "backup_refused", "stale_epoch", "turn_unavailable", "not_saved"}
# Said where no refusal is raised: by the library's own, and in the form of OpenAI's protocol.
IN_PLACE = {"too_large", "insufficient_scope", "csrf_failed", "server_error"}
OPENAIS = {"access_lost", "agent_failed", "interrupted", "withdrawn", "still_running", "stream_too_long"}


@dataclass
class Example:
    language: str
    code: str
    said: str = ""


def examples() -> list[Example]:
    """Every block, with the block of text behind it: what it prints, where … is anything."""
    found: list[Example] = []
    for language, code in BLOCK.findall(GUIDE.read_text(encoding="utf-8")):
        if language == "text":
            found[-1].said = code
        else:
            found.append(Example(language, code))
    return found


class Shell:
    """A person's shell on the site."""

    def __init__(self, site: Site) -> None:
        path = os.pathsep.join([str(Path(sys.executable).parent), str(curl().parent), os.environ["PATH"]])
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            ["bash"], cwd=ROOT, env={**site.environment, "PATH": path}, stdin=pipe, stdout=pipe, stderr=pipe
        )

    def run(self, example: Example, *, hears: Callable[[str], None] = lambda said: None) -> str:
        """What it prints; `hears` is told of all that was printed so far."""
        code = example.code
        if example.language == "python":
            code = f"{PYTHON} <<'PROGRAM'\n{code}\nPROGRAM\n"
        self._write(f"{code}\necho '{DONE}' $?\n")
        said = ""
        while (end := re.search(rf"{DONE} (\d+)\n", said)) is None:
            said += self._read()
            hears(said)
        assert end[1] == "0", f"{example.code}\n{said}"
        return said[: end.start()].rstrip("\n")

    def close(self) -> str:
        """What it said of errors."""
        _, problems = self._process.communicate(timeout=SECONDS)
        return problems.decode()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.replace(PYTHON, sys.executable).encode())
        self._process.stdin.flush()

    def _read(self) -> str:
        assert self._process.stdout is not None
        found = os.read(self._process.stdout.fileno(), 65536)
        assert found, self._process.communicate(timeout=SECONDS)
        return found.decode()


@pytest.fixture
def shell(served: Site) -> Iterator[Shell]:
    shell = Shell(served)
    yield shell
    assert shell.close() == ""


def killing(site: Site) -> Callable[[str], None]:
    """Kills the server once, in the middle of a reply, and starts it again."""
    kills = iter([site.kill])

    def hears(said: str) -> None:
        if "word20" in said and (kill := next(kills, None)) is not None:
            kill()
            site.start()

    return hears


def test_every_example_runs_as_it_stands_and_resumes_across_a_kill(served: Site, shell: Shell) -> None:
    for example in examples():
        example.code = example.code.replace(ADDRESS, served.url)
        resumes = "Last-Event-ID" in example.code
        said = shell.run(example, hears=killing(served)) if resumes else shell.run(example)
        wanted = ".*?".join(re.escape(part) for part in example.said.strip().split("…"))
        assert re.fullmatch(wanted, said, re.DOTALL), f"{example.code}\nprinted:\n{said}"
        if resumes:
            assert said.split() == [f"word{number}" for number in range(1, 121)]


def codes_of(kind: type[HoldfastError]) -> set[str]:
    return {kind.code}.union(*[codes_of(below) for below in kind.__subclasses__()])


def test_the_table_has_every_code_and_no_other() -> None:
    rows = re.findall(r"^\| \d{3} \| (.*?) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    told = {code for row in rows for code in re.findall(r"`(\w+)`", row)}
    known = codes_of(HoldfastError) | {code for code, _ in CODES.values()} | IN_PLACE | OPENAIS
    assert told == known - ELSEWHERE
