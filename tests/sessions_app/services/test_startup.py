"""F19: a database that is missing, older, damaged or unguarded stops the start with an instruction."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from structlog.testing import capture_logs

from sessions_app.errors import StartupRefused
from sessions_app.models import Instance
from sessions_app.services.instance import Mark, mark_file, read_mark, record_mark
from sessions_app.services.startup import check_startup, file_system_of
from sessions_app.services.verify import verify
from tests.sessions_app.fresh_database import as_the_sites
from tests.sessions_app.services.ruined import TABLES, ruin_table
from tests.sessions_app.services.writers import exchange, start_team

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/export /mnt/team nfs4 rw 0 0
/dev/sdb1 /mnt/team/local xfs rw 0 0
"""


def write_mark(mark: Mark) -> None:
    mark_file().write_text(json.dumps(asdict(mark)))


@pytest.mark.usefixtures("fresh_database")
class TestWithADatabase:
    def test_a_new_one_gets_its_identity(self) -> None:
        check_startup()
        assert read_mark() == Mark(str(Instance.objects.get().public_id), 0)

    def test_one_that_has_grown_starts_and_is_remembered(self) -> None:
        conversation = start_team()
        check_startup()
        exchange(conversation)
        check_startup()
        mark = read_mark()
        assert mark is not None
        assert mark.events == 8

    def test_an_older_one_is_refused_and_the_mark_is_kept(self) -> None:
        exchange(start_team())
        newer = replace(record_mark(), events=9)
        write_mark(newer)
        with pytest.raises(
            StartupRefused, match="has 8 events, and this installation has written at least 9"
        ):
            check_startup()
        assert read_mark() == newer

    def test_one_of_another_installation_is_refused(self) -> None:
        other = replace(record_mark(), instance="00000000-0000-0000-0000-000000000000")
        write_mark(other)
        with pytest.raises(StartupRefused, match="belongs to another installation"):
            check_startup()
        assert read_mark() == other

    def test_a_new_one_beside_an_old_mark_is_refused(self) -> None:
        """Somebody emptied the database, or made a new one by hand."""
        write_mark(Mark("00000000-0000-0000-0000-000000000000", 12))
        with pytest.raises(StartupRefused, match="belongs to another installation"):
            check_startup()

    def test_a_missing_guard_is_refused_until_migrate_puts_it_back(self) -> None:
        on_table = " ON holdfast_event" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER hf_event_fixed{on_table}")
        with pytest.raises(StartupRefused, match=r"guard hf_event_fixed is missing.*manage\.py migrate"):
            check_startup()
        call_command("migrate", verbosity=0)
        check_startup()

    def test_one_that_cannot_be_reached_is_refused(self) -> None:
        changed = {"PORT": 1, "HOST": "127.0.0.1"} if connection.vendor == "postgresql" else {}
        with (
            as_the_sites("nowhere/database", **changed),
            pytest.raises(StartupRefused, match="cannot be reached"),
        ):
            check_startup()


@pytest.mark.usefixtures("empty_database")
class TestWithoutTables:
    def test_a_missing_one_is_refused_every_time(self) -> None:
        write_mark(Mark("00000000-0000-0000-0000-000000000000", 12))
        for _ in range(2):
            with pytest.raises(StartupRefused, match=r"The database is empty.*restore_backup FILE"):
                check_startup()

    def test_the_first_start_asks_for_migrate(self) -> None:
        with pytest.raises(StartupRefused, match=r"migrations behind this version.*manage\.py migrate"):
            check_startup()


if connection.vendor == "sqlite":

    @pytest.mark.usefixtures("fresh_database")
    class TestDamagedFiles:
        @pytest.fixture
        def database(self) -> Path:
            exchange(start_team())
            check_startup()
            connection.close()
            return Path(connection.settings_dict["NAME"])

        def refuses_and_keeps(self, database: Path) -> None:
            content = database.read_bytes()
            with pytest.raises(StartupRefused, match=r"damaged.*restore_backup FILE"):
                check_startup()
            connection.close()
            assert database.read_bytes() == content

        def test_one_that_is_something_else_is_refused(self, database: Path) -> None:
            database.write_bytes(b"this is not a database at all" * 100)
            self.refuses_and_keeps(database)

        def test_one_that_was_cut_off_is_refused(self, database: Path) -> None:
            database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
            self.refuses_and_keeps(database)

        @pytest.mark.parametrize("table", TABLES)
        def test_one_with_a_ruined_page_is_refused(self, database: Path, table: str) -> None:
            ruin_table(database, table)
            self.refuses_and_keeps(database)

        def test_what_takes_longer_than_a_start_may_is_left_to_verify(
            self, database: Path, monkeypatch: pytest.MonkeyPatch
        ) -> None:
            monkeypatch.setattr("sessions_app.services.startup.CHECK_SECONDS", -1)
            monkeypatch.setattr("sessions_app.services.sqlite_files.STEPS_BETWEEN_LOOKS", 1)
            ruin_table(database, "holdfast_message")  # which is not read at the start
            check_startup()
            assert {finding.check for finding in verify().findings} == {"storage"}

        def test_one_that_was_emptied_is_refused(self, database: Path) -> None:
            database.write_bytes(b"")
            with pytest.raises(StartupRefused, match=r"The database is empty.*restore_backup FILE"):
                check_startup()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/lib", "ext4"),
        ("/mnt/team", "nfs4"),
        ("/mnt/team/data", "nfs4"),
        ("/mnt/team/local/data", "xfs"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(tmp_path: Path, folder: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert file_system_of(Path(folder), mounts) == kind


def test_a_machine_that_does_not_tell_its_mounts_is_fine(tmp_path: Path) -> None:
    assert file_system_of(Path("/var/lib"), tmp_path / "nothing") == ""


@pytest.mark.usefixtures("fresh_database")
def test_sqlite_on_a_network_file_system_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions_app.services.startup.file_system_of", lambda folder: "nfs4")
    with capture_logs() as logs:
        check_startup()
    warned = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
    assert warned == (["sqlite_on_network_file_system"] if connection.vendor == "sqlite" else [])
