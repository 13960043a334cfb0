"""A database that cannot be read is a finding, not a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

from sessions_app.services.verify import verify
from tests.sessions_app.services.ruined import TABLES, ruin_table
from tests.sessions_app.services.writers import exchange, start_team


@pytest.mark.usefixtures("empty_database")
def test_a_database_without_tables_is_found() -> None:
    report = verify()
    assert "it cannot be read" in report.findings[-1].says
    assert not report.is_clean


if connection.vendor == "sqlite":

    @pytest.fixture
    def database(fresh_database: None) -> Path:
        exchange(start_team())
        connection.close()
        return Path(connection.settings_dict["NAME"])

    def test_a_file_that_is_no_database_is_found(database: Path) -> None:
        database.write_bytes(b"this is not a database at all" * 100)
        [finding] = verify().findings
        assert str(finding) == "storage: database: it cannot be read: file is not a database"

    @pytest.mark.parametrize("table", TABLES)
    def test_a_ruined_page_is_found(database: Path, table: str) -> None:
        assert verify().is_clean
        connection.close()
        ruin_table(database, table)
        assert {finding.check for finding in verify().findings} == {"storage"}
