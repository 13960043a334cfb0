from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from sessions_app.services.health import health_file, read_health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


def test_at_first_nothing_is_known_but_the_size() -> None:
    health = read_health()
    assert (health.last_verify, health.last_backup) == (None, None)
    assert health.size_bytes > 10_000


def test_verify_is_remembered() -> None:
    call_command("verify", "--json", stdout=io.StringIO())
    last = read_health().last_verify
    assert last is not None
    assert (last["is_clean"], last["finding_count"], last["workspace"]) == (True, 0, None)


def test_a_file_that_cannot_be_read_counts_as_nothing() -> None:
    health_file().parent.mkdir()
    for text in ("", "[]", '{"verify": 3}', '{"verify": {"at": "never"}}'):
        health_file().write_text(text)
        assert read_health().last_verify is None
