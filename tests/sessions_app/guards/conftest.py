"""One scene for all attacks of a module: each takes back what it did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from tests.sessions_app.guards.attack import ENGINE
from tests.sessions_app.guards.scene import make_scene

# SQLite has no TRUNCATE: there is nothing to refuse.
collect_ignore = ["test_truncate.py"] if ENGINE == "sqlite" else []


@pytest.fixture(scope="module")
def standing_scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    with django_db_blocker.unblock(), transaction.atomic():
        scene = make_scene()
        connection.check_constraints()  # else PostgreSQL would refuse to truncate for its own reasons
        yield scene
        transaction.set_rollback(True)


@pytest.fixture
def scene(standing_scene: dict[str, Any], db: None) -> Iterator[dict[str, Any]]:
    with transaction.atomic():
        yield standing_scene
        transaction.set_rollback(True)
