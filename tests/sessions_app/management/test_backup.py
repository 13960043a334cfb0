"""`manage.py backup` and `manage.py restore_backup`: what people are told, and the exit code."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from sessions_app.models import Conversation
from sessions_app.services.instance import record_mark
from tests.sessions_app.guards_lifted import lifted_guards
from tests.sessions_app.services.writers import exchange, start_team


@pytest.fixture
def conversation(fresh_database: None) -> Conversation:
    conversation = start_team()
    exchange(conversation)
    record_mark()
    return conversation


def told(*words: str) -> list[str]:
    output = StringIO()
    call_command(*words, stdout=output)
    return output.getvalue().splitlines()


def test_a_backup_is_told_with_its_verification(conversation: Conversation, tmp_path: Path) -> None:
    wrote, read, verdict = told("backup", str(tmp_path / "backup"))
    assert wrote.startswith(f"Wrote {tmp_path / 'backup'} (")
    assert read.startswith("Read 1 conversations, 1 sessions, 8 events")
    assert verdict == "Everything is in order."


def test_an_existing_file_is_refused_with_a_sentence(conversation: Conversation, tmp_path: Path) -> None:
    told("backup", str(tmp_path / "backup"))
    with pytest.raises(CommandError, match="exists already and is kept as it is"):
        told("backup", str(tmp_path / "backup"))


def test_a_backup_that_is_not_in_order_is_kept_with_exit_1(
    conversation: Conversation, tmp_path: Path
) -> None:
    with lifted_guards(connection), connection.cursor() as cursor:
        cursor.execute("UPDATE holdfast_session SET sealed_count = 77")
    with pytest.raises(SystemExit) as ended:
        told("backup", str(tmp_path / "backup"))
    assert ended.value.code == 1
    assert (tmp_path / "backup").exists()


def test_one_may_do_without_the_verification(conversation: Conversation, tmp_path: Path) -> None:
    assert told("backup", str(tmp_path / "backup"), "--unverified")[1:] == ["It was not verified."]


def test_a_backup_this_version_cannot_read_is_kept_with_exit_1(
    conversation: Conversation, tmp_path: Path
) -> None:
    """As before an update, when the code is newer than the database."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions_app'")
    problems = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("backup", str(tmp_path / "backup"), stdout=StringIO(), stderr=problems)
    assert ended.value.code == 1
    assert "could not be verified" in problems.getvalue()
    assert "older version" in problems.getvalue()
    assert (tmp_path / "backup").exists()


def test_a_restore_tells_what_is_missing_and_what_is_kept(conversation: Conversation, tmp_path: Path) -> None:
    file = str(tmp_path / "backup")
    told("backup", file)
    exchange(conversation)
    record_mark()
    lines = told("restore_backup", file, "--replace")
    assert lines[1:4] == [
        "Everything is in order.",
        f"Restored {file}: 8 events.",
        "This installation had written at least 7 events more; they are not in it.",
    ]
    assert lines[4].startswith("The database that was replaced is kept as ")
    assert Path(lines[4].removeprefix("The database that was replaced is kept as ")[:-1]).exists()


def test_a_restore_over_something_is_refused_with_a_sentence(
    conversation: Conversation, tmp_path: Path
) -> None:
    told("backup", str(tmp_path / "backup"))
    with pytest.raises(CommandError, match="is not empty, so it was left as it is"):
        told("restore_backup", str(tmp_path / "backup"))
