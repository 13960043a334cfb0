"""F2: kill -9 during an import is all or nothing."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.crash.test_killed_services import ROOT, manage, site
from tests.figures import PrintFigure

TRIALS = int(os.environ.get("TRIALS", "3"))
EXCHANGES = 150

WRITE = f"""
import django; django.setup()
from bench.transcripts import Cast, conversation_with
from sessions_app.models import Agent, User, Workspace
demo = Workspace.objects.get(slug="demo")
people = Cast(demo, User.objects.get(username="alice"), Agent.objects.get(handle="demo"))
print(conversation_with(people, exchanges={EXCHANGES}, texts=4).key)
"""
IMPORT = """
import django, sys; django.setup()
from sessions_app.models import Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.transfer.importing import import_conversation
with open(sys.argv[1], "rb") as file:
    print("ready", flush=True)
    import_conversation(file, workspace=Workspace.objects.get(), by=None, origin=COMMAND)
    print("imported", flush=True)
"""
READ_BACK = """
import django, json; django.setup()
from sessions_app.models import Agent, AuditEntry, Checkpoint, Conversation, Message, SessionEvent, Turn, User
tables = (Agent, AuditEntry, Checkpoint, Conversation, Message, SessionEvent, Turn, User)
print(json.dumps({table.__name__: table.objects.count() for table in tables}))
"""


def python(environment: dict[str, str], script: str, *arguments: str) -> str:
    command = [sys.executable, "-c", script, *arguments]
    output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return output.stdout


def copied(environment: dict[str, str], folder: Path) -> dict[str, str]:
    """The same site once more."""
    shutil.copytree(environment["HOLDFAST_DATA_DIR"], folder)
    return {**environment, "HOLDFAST_DATA_DIR": str(folder)}


def import_and_kill(environment: dict[str, str], file: Path, *, after: float | None) -> tuple[bool, float]:
    """Whether it said that it was done, and how long it ran; without `after` nobody kills it."""
    command = [sys.executable, "-c", IMPORT, str(file)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        begun = time.monotonic()
        if after is not None:
            time.sleep(after)  # not for anything to happen: so that the kill comes anywhere in it
            process.kill()
        return process.stdout.read() == b"imported\n", time.monotonic() - begun


def test_an_import_that_is_killed_leaves_all_or_nothing(tmp_path: Path, print_figure: PrintFigure) -> None:
    target = site(tmp_path / "target")
    source = copied(target, tmp_path / "source")
    file = tmp_path / "out.jsonl"
    manage(source, "export_conversation", python(source, WRITE).strip(), "--to", str(file))
    empty = json.loads(python(target, READ_BACK))
    is_done, seconds = import_and_kill(whole_site := copied(target, tmp_path / "whole"), file, after=None)
    whole = json.loads(python(whole_site, READ_BACK))
    assert is_done
    assert whole["Message"] == empty["Message"] + 2 * EXCHANGES
    chance, left = random.Random(1), 0
    for trial in range(TRIALS):
        killed = copied(target, tmp_path / f"trial-{trial}")
        is_done, _ = import_and_kill(killed, file, after=chance.uniform(0, seconds))
        found = json.loads(python(killed, READ_BACK))
        assert found == whole if is_done else found in (empty, whole)
        assert json.loads(manage(killed, "verify", "--json"))["findings"] == []
        left += found == whole
    print_figure(f"F2: {TRIALS} imports killed, {left} came whole and the others not at all, verify clean")
