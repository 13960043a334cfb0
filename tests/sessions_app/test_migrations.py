"""From nothing to now, one migration at a time, and the guards stand whatever a migration does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings, settings
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from pytest_django import DjangoDbBlocker

import sessions_app.migrations
from sessions_app import guards
from tests.sessions_app.scratch_database import ALIAS, scratch_database, url_of

APP = "sessions_app"
NAMES = sorted(name for app, name in MigrationLoader(None).graph.nodes if app == APP)
NO_TIME = "'2026-01-01 00:00:00+00'"

# Attacks that need no other row than the one they are aimed at.
ATTACKS = {
    "UPDATE holdfast_audit_chain SET length = 0": "a chain only grows",
    "DELETE FROM holdfast_audit_chain": "it is never deleted",
    "INSERT INTO holdfast_purge_permit (conversation_id, entry_id, outlives_id) VALUES (1, 1, 0)": (
        "a purge is audited first"
    ),
    "INSERT INTO holdfast_event (session_id, seq, kind, payload, at)"
    f" VALUES (1, 2, 'text', 'x', {NO_TIME})": "seq must follow the last one",
}


@pytest.fixture
def scratch(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[BaseDatabaseWrapper]:
    with django_db_blocker.unblock(), scratch_database(tmp_path) as connection:
        yield connection


def test_every_migration_can_be_applied_alone_and_the_last_leaves_the_guards(
    scratch: BaseDatabaseWrapper,
) -> None:
    assert scratch.introspection.table_names() == []
    for name in NAMES:
        migrate(APP, name)
        assert has_all_tables(scratch) == (guards.differences(scratch) == [])
    migrate()
    assert_guarded(scratch)


def test_migrating_again_changes_nothing(scratch: BaseDatabaseWrapper) -> None:
    migrate()
    migrate()
    assert_guarded(scratch)


def test_a_migration_that_rebuilds_every_guarded_table_leaves_the_guards(
    scratch: BaseDatabaseWrapper, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate()
    add_migration(tmp_path, settings, monkeypatch, "\n".join(map(rebuilding, REBUILT)))
    migrate()
    assert_guarded(scratch)
    assert f"{REBUILT_LENGTH})" in definition_of(scratch, "holdfast_message", "digest")


def test_a_migration_that_fails_leaves_the_guards(
    scratch: BaseDatabaseWrapper, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate()
    add_migration(
        tmp_path,
        settings,
        monkeypatch,
        "migrations.RunPython(lambda apps, editor: apps.get_model('no', 'such')),",
    )
    with pytest.raises(LookupError):
        migrate()
    assert_guarded(scratch)


def test_migrating_back_to_the_beginning_and_forward_again_is_possible(scratch: BaseDatabaseWrapper) -> None:
    migrate()
    migrate(APP, "zero")
    assert "holdfast_event" not in scratch.introspection.table_names()
    migrate()
    assert_guarded(scratch)


def test_an_empty_database_is_not_filled_where_the_installation_has_written_one(
    scratch: BaseDatabaseWrapper, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    mark = {"instance": str(uuid.uuid4()), "events": 42}
    (data / "instance.json").write_text(json.dumps(mark), encoding="utf-8")
    finished = run_migrate(scratch, data)
    assert finished.returncode == 1
    assert "The database is empty" in finished.stderr
    assert "42 events" in finished.stderr
    assert scratch.introspection.table_names() == []


def test_it_is_filled_where_the_installation_has_written_none(
    scratch: BaseDatabaseWrapper, tmp_path: Path
) -> None:
    finished = run_migrate(scratch, tmp_path / "data")
    assert finished.returncode == 0, finished.stderr
    assert_guarded(scratch)


def migrate(*target: str) -> None:
    call_command("migrate", *target, database=ALIAS, verbosity=0)


def run_migrate(scratch: BaseDatabaseWrapper, data: Path) -> subprocess.CompletedProcess[str]:
    """By the command line, as an operator does."""
    environment = {
        **os.environ,
        "DATABASE_URL": url_of(scratch),
        "HOLDFAST_DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    return subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )


def has_all_tables(scratch: BaseDatabaseWrapper) -> bool:
    return set(scratch.introspection.table_names()).issuperset(guards.GUARDED_TABLES)


def assert_guarded(scratch: BaseDatabaseWrapper) -> None:
    assert guards.differences(scratch) == []
    with scratch.cursor() as cursor:
        cursor.execute("INSERT INTO holdfast_audit_chain (name, length, head) VALUES ('x', 1, '')")
        for sql, says in ATTACKS.items():
            with pytest.raises(IntegrityError, match=says), transaction.atomic(using=ALIAS):
                cursor.execute(sql)


# A text column of each guarded table: made longer, SQLite builds the table anew and PostgreSQL alters it.
REBUILT_LENGTH = 201
REBUILT = {
    "sessionevent": "kind",
    "message": "digest",
    "session": "head_digest",
    "conversation": "answers",
    "turn": "owner",
    "checkpoint": "kind",
    "auditentry": "action",
    "auditchain": "head",
    "toollisting": "digest",
}


def rebuilding(model: str) -> str:
    field = f"models.CharField(max_length={REBUILT_LENGTH})"
    return f"migrations.AlterField({model!r}, {REBUILT[model]!r}, {field}),"


def add_migration(
    folder: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, operations: str
) -> None:
    """The app's migrations and one more, in a package of their own that only this test uses."""
    package = f"later_{uuid.uuid4().hex}"
    shutil.copytree(Path(sessions_app.migrations.__path__[0]), folder / package)
    text = (
        "from django.db import migrations, models\n\n\n"
        "class Migration(migrations.Migration):\n"
        f"    dependencies = [({APP!r}, {NAMES[-1]!r})]\n"
        f"    operations = [{operations}]\n"
    )
    (folder / package / "9999_later.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    settings.MIGRATION_MODULES = {APP: package}


def definition_of(scratch: BaseDatabaseWrapper, table: str, column: str) -> str:
    with scratch.cursor() as cursor:
        described = scratch.introspection.get_table_description(cursor, table)
    [size] = [field.display_size or field.internal_size for field in described if field.name == column]
    return f"({size})"
