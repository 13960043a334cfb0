"""A backup is verified before anything is touched, what it replaces is kept, and the site starts on it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from sessions_app.errors import BackupRefused
from sessions_app.models import Conversation, Message, Workspace
from sessions_app.services.backup import copy_site, take_backup
from sessions_app.services.instance import mark_file, read_mark, record_mark
from sessions_app.services.restore_backup import restore_backup
from sessions_app.services.startup import check_startup
from sessions_app.services.verify import verify
from tests.sessions_app.fresh_database import as_the_sites, new_database
from tests.sessions_app.guards_lifted import lifted_guards
from tests.sessions_app.services.writers import exchange, start_team

pytestmark = pytest.mark.usefixtures("fresh_database")
OTHER_ENGINE = {"sqlite": b"PGDMP\x01\x0e", "postgresql": b"SQLite format 3\x00"}


@pytest.fixture
def conversation(fresh_database: None) -> Conversation:
    conversation = start_team()
    exchange(conversation)
    record_mark()
    return conversation


@pytest.fixture
def backup(conversation: Conversation, tmp_path: Path) -> Path:
    return take_backup(tmp_path / "backup").file


@contextlib.contextmanager
def elsewhere(tmp_path: Path, name: str = "elsewhere") -> Iterator[None]:
    """A second site with a data folder and a database of its own, without a table."""
    home, settings.DATA_DIR = settings.DATA_DIR, tmp_path / name
    settings.DATA_DIR.mkdir()
    try:
        with new_database(settings.DATA_DIR) as database, as_the_sites(database):
            yield
    finally:
        settings.DATA_DIR = home


def words() -> list[str]:
    return list(Message.objects.order_by("pk").values_list("content", flat=True))


def run(statement: str) -> None:
    with lifted_guards(connection), connection.cursor() as cursor:
        cursor.execute(statement)


def test_it_comes_back_elsewhere_and_the_site_starts_on_it(backup: Path, tmp_path: Path) -> None:
    before, mark = words(), read_mark()
    with elsewhere(tmp_path):
        restored = restore_backup(backup)
        assert restored.report is not None
        assert restored.kept is None
        assert words() == before
        assert read_mark() == restored.mark == mark
        check_startup()
        assert verify().is_clean
        exchange(Conversation.objects.get())


def test_a_database_with_only_its_tables_counts_as_empty(backup: Path, tmp_path: Path) -> None:
    before = words()
    with elsewhere(tmp_path):
        call_command("migrate", verbosity=0)
        assert restore_backup(backup).kept is None
        assert words() == before
        check_startup()
        assert not list(settings.DATA_DIR.glob("replaced-*"))


def test_a_database_with_something_in_it_is_not_replaced_in_silence(
    conversation: Conversation, backup: Path
) -> None:
    exchange(conversation)
    before = words()
    with pytest.raises(BackupRefused, match=r"not empty.*--replace"):
        restore_backup(backup)
    assert words() == before


def test_what_is_replaced_is_kept_and_can_be_brought_back(conversation: Conversation, backup: Path) -> None:
    older = words()
    exchange(conversation)
    newer = words()
    kept = restore_backup(backup, replace=True).kept
    assert kept is not None
    assert words() == older
    restore_backup(kept, replace=True)
    assert words() == newer
    assert verify().is_clean


def test_an_older_backup_starts_and_says_what_it_lacks(conversation: Conversation, backup: Path) -> None:
    exchange(conversation)
    newer = record_mark()
    restored = restore_backup(backup, replace=True)
    assert restored.missing_events == newer.events - restored.mark.events == 7
    assert read_mark() == restored.mark
    check_startup()


def test_a_backup_of_another_installation_takes_over(backup: Path, tmp_path: Path) -> None:
    with elsewhere(tmp_path):
        call_command("migrate", verbosity=0)
        start_team()
        mine = record_mark()
        restored = restore_backup(backup, replace=True)
        assert restored.before == mine
        assert restored.mark.instance != mine.instance
        assert restored.missing_events == 0
        check_startup()


def test_an_unreadable_instance_file_does_not_stand_in_the_way(backup: Path) -> None:
    mark_file().write_text("{")
    assert restore_backup(backup, replace=True).before is None
    check_startup()


def test_it_is_refused_while_somebody_has_the_database_open(backup: Path) -> None:
    before, is_open, is_done = words(), threading.Event(), threading.Event()

    def hold() -> None:
        Workspace.objects.exists()
        is_open.set()
        is_done.wait()
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    is_open.wait()
    try:
        with pytest.raises(BackupRefused, match="Stop the server first"):
            restore_backup(backup, replace=True)
        assert words() == before
    finally:
        is_done.set()
        holder.join()
    restore_backup(backup, replace=True)


def test_a_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="There is no file"):
        restore_backup(tmp_path / "nothing")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="cannot be read"):
        restore_backup(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite"])
def test_what_is_not_a_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "backup").write_bytes(content)
    with pytest.raises(BackupRefused, match="is not a backup of Holdfast"):
        restore_backup(tmp_path / "backup")


def test_a_backup_of_the_other_engine_is_refused(tmp_path: Path) -> None:
    (tmp_path / "backup").write_bytes(OTHER_ENGINE[connection.vendor])
    with pytest.raises(BackupRefused, match=r"is a backup of \w+, and this site uses"):
        restore_backup(tmp_path / "backup")


def test_a_damaged_backup_is_refused_before_anything_is_touched(backup: Path) -> None:
    before, content = words(), backup.read_bytes()
    backup.write_bytes(content[: len(content) // 2])
    with pytest.raises(BackupRefused, match=r"damaged|pg_restore failed"):
        restore_backup(backup, replace=True)
    assert words() == before
    assert not list(settings.DATA_DIR.glob("replaced-*"))


def test_a_backup_that_is_not_in_order_is_refused(conversation: Conversation, tmp_path: Path) -> None:
    run("UPDATE holdfast_session SET sealed_count = 77")
    file = take_backup(tmp_path / "backup").file
    with pytest.raises(BackupRefused, match=r"not in order, so nothing was changed: seal: .* counts 77"):
        restore_backup(file, replace=True)
    restore_backup(file, replace=True, is_verified=False)


def test_a_database_of_something_else_is_refused(conversation: Conversation, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    with elsewhere(tmp_path):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE recipe (name text)")
        file.touch()
        copy_site(file)
    with pytest.raises(BackupRefused, match="a database, but not one of Holdfast"):
        restore_backup(file, replace=True)


def test_a_backup_of_a_newer_version_is_refused(conversation: Conversation, tmp_path: Path) -> None:
    run("UPDATE django_migrations SET name = '9999_future' WHERE app = 'sessions_app'")
    file = take_backup(tmp_path / "backup", is_verified=False).file
    with pytest.raises(BackupRefused, match="made by a newer version; update first"):
        restore_backup(file, replace=True)


def test_a_backup_of_an_older_version_is_refused(conversation: Conversation, tmp_path: Path) -> None:
    run("DELETE FROM django_migrations WHERE app = 'sessions_app'")
    file = take_backup(tmp_path / "backup", is_verified=False).file
    with pytest.raises(BackupRefused, match="made by an older version"):
        restore_backup(file, replace=True)


if connection.vendor == "sqlite":

    def test_a_damaged_database_is_kept_as_it_is_and_replaced(backup: Path) -> None:
        before, database = words(), Path(connection.settings_dict["NAME"])
        connection.close()
        database.write_bytes(b"ruined")
        with pytest.raises(BackupRefused, match="not empty"):
            restore_backup(backup)
        kept = restore_backup(backup, replace=True).kept
        assert kept is not None
        assert kept.read_bytes() == b"ruined"
        assert words() == before

    def test_a_missing_database_comes_back(backup: Path) -> None:
        before, database = words(), Path(connection.settings_dict["NAME"])
        connection.close()
        database.unlink()
        restore_backup(backup)
        assert words() == before
        check_startup()

else:

    def test_tables_of_other_programs_stay(backup: Path) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE recipe (name text)")
            restore_backup(backup, replace=True)
        assert "recipe" in connection.introspection.table_names()
        assert verify().is_clean
