"""A site of its own for each test: a data folder, a database, and the command that serves it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Manage = Callable[..., subprocess.Popen[str]]
WAIT_SECONDS = 60


@pytest.fixture
def site(tmp_path: Path) -> dict[str, str]:
    """The environment of an empty site, apart from this run's own settings and database."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "DJANGO_"))
    }
    ours.pop("DATABASE_URL", None)
    data, static = tmp_path / "data", tmp_path / "static"
    return {**ours, "HOLDFAST_DATA_DIR": str(data), "HOLDFAST_STATIC_DIR": str(static)}


@pytest.fixture
def manage(site: dict[str, str]) -> Iterator[Manage]:
    """Starts `manage.py` with the words given; what still runs afterwards is ended."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "manage.py", *words]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, env=site, stdout=pipe, stderr=pipe, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def ready_site(manage: Manage) -> Manage:
    """The site with its tables and static files, as `make run` would prepare it."""
    for words in (["migrate"], ["collectstatic", "--no-input"]):
        process = manage(*words, "--verbosity", "0")
        _, problems = process.communicate(timeout=WAIT_SECONDS)
        assert process.returncode == 0, problems
    return manage
