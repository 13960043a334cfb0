"""The instance's file and the database's row tell the same, and what cannot be read is never replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from sessions_app.errors import StartupRefused
from sessions_app.models import Conversation, Instance, User
from sessions_app.services.audit import COMMAND
from sessions_app.services.instance import (
    Mark,
    count_events,
    current_mark,
    mark_file,
    read_mark,
    record_mark,
    refuse_missing_database,
)
from sessions_app.services.purge import purge_conversation
from tests.sessions_app.conftest import Exchange


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """A data folder that does not exist yet."""
    folder = tmp_path / "data"
    settings.DATA_DIR = folder
    return folder


def test_a_new_installation_has_no_mark(db: None, folder: Path) -> None:
    assert read_mark() is None
    assert current_mark() is None


def test_recording_gives_the_database_its_identity_and_writes_its_twin(
    folder: Path, conversation: Conversation
) -> None:
    mark = record_mark()
    assert mark == Mark(str(Instance.objects.get().public_id), conversation.active_session.last_seq)
    assert read_mark() == current_mark() == mark
    assert [path.name for path in folder.iterdir()] == ["instance.json"]


def test_the_identity_stays(folder: Path, conversation: Conversation, exchange: Exchange) -> None:
    first = record_mark()
    exchange()
    second = record_mark()
    assert first.instance == second.instance
    assert first.events < second.events


def test_a_purge_does_not_lower_the_count(
    folder: Path, conversation: Conversation, alice: User, exchange: Exchange
) -> None:
    exchange()
    before = record_mark()
    purge_conversation(conversation, by=alice, confirmation=conversation.key, origin=COMMAND)
    assert count_events(Instance.objects.get()) == before.events


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"instance": "x", "events": "many"}', "null"])
def test_a_file_that_cannot_be_read_is_refused_and_kept(db: None, folder: Path, content: str) -> None:
    folder.mkdir()
    mark_file().write_text(content)
    with pytest.raises(StartupRefused, match=r"instance\.json cannot be read"):
        read_mark()
    assert mark_file().read_text() == content


def test_a_write_that_fails_leaves_the_file_as_it_was(
    folder: Path, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    before = record_mark()
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        record_mark()
    assert read_mark() == before
    assert [path.name for path in folder.iterdir()] == ["instance.json"]


@pytest.mark.usefixtures("empty_database")
class TestWithoutADatabase:
    """F19: never a new empty database in silence."""

    def test_one_that_was_never_written_is_fine(self) -> None:
        refuse_missing_database()

    def test_one_that_was_written_is_missed(self) -> None:
        mark_file().write_text(json.dumps({"instance": "x", "events": 12}))
        with pytest.raises(StartupRefused, match=r"written 12 events.*restore_backup FILE"):
            refuse_missing_database()
        assert not self.is_there()

    def test_migrate_does_not_make_a_new_one(self) -> None:
        mark_file().write_text(json.dumps({"instance": "x", "events": 12}))
        with pytest.raises(CommandError, match=r"move instance\.json away first"):
            call_command("migrate", verbosity=0)
        assert not self.is_there()

    def is_there(self) -> bool:
        """On SQLite even an empty file would be a database that nobody asked for."""
        if connection.vendor == "sqlite":
            return Path(connection.settings_dict["NAME"]).exists()
        return bool(connection.introspection.table_names())
