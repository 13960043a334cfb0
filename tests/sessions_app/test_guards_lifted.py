"""The tests' own way around the guards: it ends with the test, and the product cannot take it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, connection, transaction

from sessions_app import guards
from sessions_app.models import Conversation, Instance, PurgePermit, SessionEvent, User
from sessions_app.services.audit import Origin
from sessions_app.services.purge import purge_conversation
from tests.sessions_app.conftest import Exchange
from tests.sessions_app.guards_lifted import lifted_guards

PRODUCT = ("config", "chat", "sessions_app", "manage.py")
MAY_REMOVE_GUARDS = {
    "sessions_app/guards/postgresql.py",
    "sessions_app/guards/sqlite.py",
    "sessions_app/management/commands/migrate.py",
}


# Twice, so that the second run shows what the first one's flush has left.
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_a_test_that_commits_leaves_an_empty_guarded_and_usable_database(
    time: str, conversation: Conversation, exchange: Exchange, alice: User, origin: Origin
) -> None:
    assert Conversation.objects.count() == 1
    assert Instance.objects.count() == 0
    assert ContentType.objects.filter(app_label="sessions_app").exists()
    assert Permission.objects.filter(codename="operate").exists()
    exchange()
    assert guards.differences(connection) == []
    with pytest.raises(IntegrityError, match="never deleted"):
        SessionEvent.objects.filter(session__conversation=conversation).delete()
    purge_conversation(conversation, by=alice, confirmation=conversation.key, origin=origin)
    assert not PurgePermit.objects.exists()


def test_lifting_the_guards_lets_a_test_tamper_and_puts_them_back(
    conversation: Conversation, exchange: Exchange
) -> None:
    exchange()
    events = SessionEvent.objects.filter(session=conversation.active_session_id)
    with lifted_guards(connection):
        events.update(payload='"changed"')
    assert guards.differences(connection) == []
    with transaction.atomic(), pytest.raises(IntegrityError, match="never changed"):
        events.update(payload='"again"')


def test_the_guards_come_back_when_the_tampering_fails(conversation: Conversation) -> None:
    with pytest.raises(ZeroDivisionError), lifted_guards(connection):
        _ = 1 / 0
    assert guards.differences(connection) == []


def test_the_product_imports_no_test_and_removes_guards_only_to_migrate() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in _product_files()}
    assert len(sources) > 50
    importing = [name for path, text in sources.items() if "tests" in _imports(text) for name in [str(path)]]
    removing = {
        str(path) for path, text in sources.items() if "guards.remove(" in text or "DROP TRIG" in text
    }
    assert importing == []
    assert {str(Path(name).relative_to(settings.BASE_DIR)) for name in removing} == MAY_REMOVE_GUARDS


def _product_files() -> Iterator[Path]:
    for name in PRODUCT:
        path = Path(settings.BASE_DIR) / name
        yield from [path] if path.is_file() else path.rglob("*.py")


def _imports(source: str) -> set[str]:
    """The top packages a module imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found
