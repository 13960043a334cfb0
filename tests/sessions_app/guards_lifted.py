"""Takes the guards out where a test must: to tamper on purpose, and to empty the database after a test.

Nothing but tests can import this: the product has no way to lift a guard outside `migrate`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

from sessions_app import guards
from sessions_app.services.instance import mark_file

_flush = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]


@contextlib.contextmanager
def lifted_guards(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Inside nothing is guarded; afterwards exactly the guards of the code stand again, whatever happened."""
    with transaction.atomic(using=connection.alias):
        guards.remove(connection)
    try:
        yield
    finally:
        with transaction.atomic(using=connection.alias):
            guards.install(connection)


def flush_with_lifted_guards(test: TransactionTestCase) -> None:
    """Empties the database, which forgets its instance; the file that remembers it would refuse the next start."""
    with contextlib.ExitStack() as stack:
        for alias in test._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
            stack.enter_context(lifted_guards(connections[alias]))
        _flush(test)
    mark_file().unlink(missing_ok=True)


@pytest.fixture(autouse=True, scope="session")
def the_flush_after_a_test_lifts_the_guards() -> Iterator[None]:
    """Only tests marked `django_db(transaction=True)` flush; all others roll back and never come here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", flush_with_lifted_guards)
        yield
