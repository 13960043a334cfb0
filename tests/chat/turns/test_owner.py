"""A lock that only a living process holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from chat.turns.owner import Owner, dead_owners, forget_owners

HOLD = """
import sys, django
from django.conf import settings
settings.configure(DATA_DIR=sys.argv[1])
from chat.turns.owner import Owner
owner = Owner()
print(owner.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_a_living_process_is_not_dead_and_a_killed_one_is_at_once(folder: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        assert dead_owners() == set()
        process.kill()
        process.wait()
        assert dead_owners() == {name}


def test_looking_does_not_take_the_lock_away() -> None:
    owner = Owner()
    assert dead_owners() == dead_owners() == set()
    owner.release()


def test_a_clean_end_lets_go_at_once_and_leaves_its_file_to_recovery() -> None:
    owner = Owner()
    owner.release()
    assert dead_owners() == {owner.name}


def test_a_dead_owner_is_forgotten_when_all_is_settled(folder: Path) -> None:
    (folder / "run").mkdir()
    (folder / "run" / "host-1-abc.lock").touch()
    assert dead_owners() == {"host-1-abc"}
    forget_owners({"host-1-abc"})
    assert dead_owners() == set()


def test_no_two_owners_have_one_name() -> None:
    first, second = Owner(), Owner()
    assert first.name != second.name
    first.release()
    second.release()
