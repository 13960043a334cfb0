"""A guard that is dropped, disabled, weakened or added is found, and start-up refuses to serve."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection, transaction

from sessions_app import guards
from sessions_app.errors import StartupRefused
from sessions_app.services.startup import check_startup
from tests.sessions_app.guards.attack import ENGINE

WEAKER = "CREATE TRIGGER hf_event_fixed BEFORE UPDATE ON holdfast_event FOR EACH ROW"

TAMPERED = {
    "sqlite": {
        "dropped": (["DROP TRIGGER hf_event_fixed"], "guard hf_event_fixed is missing"),
        "weaker, with the same name": (
            [
                "DROP TRIGGER hf_event_fixed",
                f"{WEAKER} WHEN 1 = 0 BEGIN SELECT RAISE(ABORT, 'holdfast_event: an event is never changed'); END",
            ],
            "guard hf_event_fixed is not as it was written",
        ),
        "moved to another table": (
            [
                "DROP TRIGGER hf_event_fixed",
                f"{WEAKER.replace('holdfast_event', 'holdfast_agent')}"
                " WHEN 1 = 1 BEGIN SELECT RAISE(ABORT, 'holdfast_event: an event is never changed'); END",
            ],
            "guard hf_event_fixed is not as it was written",
        ),
        "added": (
            ["CREATE TRIGGER x AFTER INSERT ON holdfast_event BEGIN SELECT 1; END"],
            "guard x is not one of ours",
        ),
    },
    "postgresql": {
        "dropped": (["DROP TRIGGER hf_event_fixed ON holdfast_event"], "guard hf_event_fixed is missing"),
        "disabled": (
            ["ALTER TABLE holdfast_event DISABLE TRIGGER hf_event_fixed"],
            "guard hf_event_fixed is not as it was written",
        ),
        "all disabled": (
            ["ALTER TABLE holdfast_event DISABLE TRIGGER USER"],
            "guard hf_no_truncate_event is not as it was written",
        ),
        "only for replicas": (
            ["ALTER TABLE holdfast_event ENABLE REPLICA TRIGGER hf_event_fixed"],
            "guard hf_event_fixed is not as it was written",
        ),
        "with an empty body": (
            [
                "CREATE OR REPLACE FUNCTION hf_event_fixed() RETURNS trigger LANGUAGE plpgsql"
                " AS $$ BEGIN RETURN NEW; END $$"
            ],
            "guard hf_event_fixed() is not as it was written",
        ),
        "weaker, with the same name": (
            [
                "DROP TRIGGER hf_event_fixed ON holdfast_event",
                f"{WEAKER} WHEN (OLD.seq < 0) EXECUTE FUNCTION hf_event_fixed()",
            ],
            "guard hf_event_fixed is not as it was written",
        ),
        "calling another function": (
            [
                "DROP TRIGGER hf_event_fixed ON holdfast_event",
                f"{WEAKER} EXECUTE FUNCTION hf_event_dense()",
            ],
            "guard hf_event_fixed is not as it was written",
        ),
        "looking elsewhere": (
            ["ALTER FUNCTION hf_event_kept() SET search_path = pg_temp"],
            "guard hf_event_kept() is not as it was written",
        ),
        "added": (
            [f"{WEAKER.replace('hf_event_fixed', 'x')} EXECUTE FUNCTION hf_event_fixed()"],
            "guard x is not one of ours",
        ),
    },
}[ENGINE]


@pytest.fixture(autouse=True)
def _taken_back(db: None) -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_a_migrated_database_has_the_guards_of_the_code() -> None:
    assert guards.differences(connection) == []


@pytest.mark.parametrize(("statements", "said"), TAMPERED.values(), ids=TAMPERED.keys())
def test_it_is_found_and_nothing_is_served(statements: list[str], said: str) -> None:
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)
    assert said in guards.differences(connection)
    with pytest.raises(StartupRefused, match="guards are not those of this version"):
        check_startup()


def test_installing_them_again_puts_everything_right() -> None:
    for statements, _ in TAMPERED.values():
        with connection.cursor() as cursor, transaction.atomic():
            for sql in statements:
                cursor.execute(sql)
        guards.install(connection)
        assert guards.differences(connection) == []
