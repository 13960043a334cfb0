"""F20: a backup under load holds everything committed before it began, and is in order."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from django.db import connection

from sessions_app.errors import BackupRefused
from sessions_app.models import Conversation, Message, Session, SessionEvent
from sessions_app.services.backup import NO_RIGHT, take_backup
from sessions_app.services.backup_check import opened_backup
from sessions_app.services.verify import verify
from tests.sessions_app.fresh_database import as_the_sites, on_server
from tests.sessions_app.guards_lifted import lifted_guards
from tests.sessions_app.services.writers import busy_writers, exchange, start_team

pytestmark = pytest.mark.usefixtures("fresh_database")


@pytest.fixture
def conversation(fresh_database: None) -> Conversation:
    conversation = start_team()
    exchange(conversation)
    return conversation


def test_it_is_one_verified_file_that_only_its_owner_reads(
    conversation: Conversation, tmp_path: Path
) -> None:
    backup = take_backup(tmp_path / "backup")
    assert backup.report is not None
    assert backup.report.is_clean
    assert backup.report.counts["events"] == SessionEvent.objects.count()
    assert backup.size_bytes == backup.file.stat().st_size
    assert stat.S_IMODE(backup.file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


def test_a_backup_under_load_has_everything_committed_before_it_began(
    conversation: Conversation, tmp_path: Path
) -> None:
    with busy_writers(conversation):
        for number in range(3):
            sealed = set(Message.objects.exclude(sealed_seq=None).values_list("public_id", "digest"))
            ends = dict(Session.objects.values_list("public_id", "last_seq"))
            backup = take_backup(tmp_path / f"backup-{number}", is_verified=False)
            with opened_backup(backup.file) as alias:
                assert verify(using=alias).findings == ()
                there = dict(Session.objects.using(alias).values_list("public_id", "last_seq"))
                assert sealed <= set(Message.objects.using(alias).values_list("public_id", "digest"))
            assert all(there[session] >= last for session, last in ends.items())


def test_an_existing_file_is_never_overwritten(conversation: Conversation, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    file.write_text("mine")
    with pytest.raises(BackupRefused, match="exists already and is kept"):
        take_backup(file)
    assert file.read_text() == "mine"


def test_a_link_to_nowhere_is_not_followed(conversation: Conversation, tmp_path: Path) -> None:
    (tmp_path / "backup").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupRefused, match="exists already"):
        take_backup(tmp_path / "backup")
    assert not (tmp_path / "elsewhere").exists()


def test_who_takes_the_name_meanwhile_keeps_it(
    conversation: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program makes the file between the first look and the last step."""
    file, link = tmp_path / "backup", os.link

    def overtaken(source: Path, target: Path) -> None:
        file.write_text("theirs")
        link(source, target)

    monkeypatch.setattr("os.link", overtaken)
    with pytest.raises(BackupRefused, match="exists already"):
        take_backup(file)
    assert file.read_text() == "theirs"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


def test_it_is_whole_on_a_file_system_without_links(
    conversation: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(source: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr("os.link", unknown)
    backup = take_backup(tmp_path / "backup")
    assert backup.size_bytes == backup.file.stat().st_size
    with opened_backup(backup.file) as alias:
        assert verify(using=alias).is_clean


def test_a_folder_that_does_not_exist_is_refused(conversation: Conversation, tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="There is no folder"):
        take_backup(tmp_path / "nowhere" / "backup")


def test_what_is_not_in_order_is_kept_and_told(conversation: Conversation, tmp_path: Path) -> None:
    """A backup with a fault is better than none."""
    with lifted_guards(connection), connection.cursor() as cursor:
        cursor.execute("UPDATE holdfast_session SET sealed_count = 77")
    backup = take_backup(tmp_path / "backup")
    assert backup.report is not None
    assert [finding.check for finding in backup.report.findings] == ["seal"]
    assert backup.file.exists()


if connection.vendor == "postgresql":

    def test_without_the_right_to_create_databases_it_is_kept_and_told(
        conversation: Conversation, tmp_path: Path
    ) -> None:
        """A role as a careful administrator makes it: it owns the tables and nothing else."""
        role = f"modest_{os.getpid()}"
        on_server(f"CREATE ROLE {role} LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
        try:
            name = connection.settings_dict["NAME"]
            with as_the_sites(name, USER=role):
                backup = take_backup(tmp_path / "backup")
        finally:
            on_server(f"DROP ROLE {role}")
        assert backup.report is None
        assert backup.why_unverified == NO_RIGHT
        with opened_backup(backup.file) as alias:
            assert verify(using=alias).is_clean

    def test_without_pg_dump_it_says_what_to_install(
        conversation: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(BackupRefused, match="pg_dump is not installed"):
            take_backup(tmp_path / "backup")
        assert [path.name for path in tmp_path.iterdir()] == ["data"]

else:

    def test_a_database_that_is_gone_is_not_made_anew(conversation: Conversation, tmp_path: Path) -> None:
        database = Path(connection.settings_dict["NAME"])
        connection.close()
        database.unlink()
        with pytest.raises(BackupRefused, match="could not be copied"):
            take_backup(tmp_path / "backup")
        assert not database.exists()
