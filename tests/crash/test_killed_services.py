"""F2: kill -9 during reset, restore, fork, checkpoint and compaction is all or nothing."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from tests.figures import PrintFigure
from tests.provision.temporary_postgres import temporary_postgres

TRIALS = int(os.environ.get("TRIALS", "5"))
TRIALS_ON_POSTGRESQL = 2
MOST_PROMISED = 25  # before the kill
ROOT = Path(__file__).resolve().parents[2]


def site(folder: Path, database_url: str = "") -> dict[str, str]:
    """A site of its own with the demo team, outside the tests' database."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    environment |= {
        "DATABASE_URL": database_url,
        "HOLDFAST_DATA_DIR": str(folder / "data"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    manage(environment, "migrate", "--verbosity=0")
    manage(environment, "create_demo")
    return environment


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def run_and_kill(environment: dict[str, str], seed: int) -> list[tuple[str, str]]:
    """What the process had been promised when it was killed, in the middle of something."""
    command, chance = [sys.executable, "-m", "tests.crash.worker", str(seed)], random.Random(seed)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready \n"
        lines = [process.stdout.readline() for _ in range(chance.randrange(1, MOST_PROMISED))]
        time.sleep(
            chance.uniform(0, 0.02)
        )  # not for anything to happen: so that the kill comes anywhere in it
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in lines), lines
    return [(name, what) for name, what in (line.decode().split() for line in lines)]


READ_BACK = """
import django, json; django.setup()
from sessions_app.models import AuditEntry, Checkpoint, Message
print(json.dumps({
    "message": [str(i) for i in Message.objects.values_list("public_id", flat=True)],
    "checkpoint": [str(i) for i in Checkpoint.objects.values_list("public_id", flat=True)],
    "entry": [str(i) for i in AuditEntry.objects.values_list("number", flat=True)],
}))
"""


def read_back(environment: dict[str, str]) -> dict[str, set[str]]:
    command = [sys.executable, "-c", READ_BACK]
    output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return {name: set(found) for name, found in json.loads(output.stdout).items()}


def promised_and_kept(environment: dict[str, str], *, trials: int) -> int:
    """How many promised changes outlived as many kills; fails where one is missing."""
    kinds = {"message": "message", "checkpoint": "checkpoint", "compaction": "checkpoint"}
    promised = 0
    for trial in range(trials):
        told = run_and_kill(environment, seed=trial)
        found = read_back(environment)
        missing = [(name, what) for name, what in told if what not in found[kinds.get(name, "entry")]]
        assert missing == []
        assert json.loads(manage(environment, "verify", "--json"))["findings"] == []
        promised += len(told)
    return promised


def test_what_was_promised_is_there_and_verify_is_clean_after_every_kill(
    tmp_path: Path, print_figure: PrintFigure
) -> None:
    promised = promised_and_kept(site(tmp_path), trials=TRIALS)
    print_figure(f"F2: {TRIALS} kills, {promised} promised changes, 0 missing, verify clean each time")


def test_so_it_is_on_postgresql(tmp_path: Path, print_figure: PrintFigure) -> None:
    with temporary_postgres() as server:
        promised = promised_and_kept(site(tmp_path, server.url), trials=TRIALS_ON_POSTGRESQL)
    print_figure(f"F2 on PostgreSQL: {TRIALS_ON_POSTGRESQL} kills, {promised} promised changes, 0 missing")
