"""What is refused only when a transaction commits: a permit that is left, a conversation that points nowhere."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from sessions_app.models import AuditEntry, Conversation, PurgePermit, Session, SessionEvent, User
from sessions_app.services.audit import Origin
from sessions_app.services.purge import purge_conversation
from tests.sessions_app.conftest import Exchange
from tests.sessions_app.guards.attack import copied
from tests.sessions_app.guards.on_permits import permit, purge_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_permit_cannot_be_committed(conversation: Conversation, exchange: Exchange) -> None:
    exchange()
    before = list(SessionEvent.objects.values_list())
    with pytest.raises(IntegrityError), transaction.atomic():
        _give_permit(conversation)
    assert not PurgePermit.objects.exists()
    assert list(SessionEvent.objects.values_list()) == before


def test_what_was_deleted_under_a_permit_that_is_left_comes_back(
    conversation: Conversation, exchange: Exchange
) -> None:
    exchange()
    before = list(SessionEvent.objects.values_list())
    with pytest.raises(IntegrityError), transaction.atomic():  # noqa: PT012 - the refusal comes with the commit
        _give_permit(conversation)
        SessionEvent.objects.filter(session__conversation=conversation).delete()
        assert not SessionEvent.objects.exists()
    assert list(SessionEvent.objects.values_list()) == before


if connection.vendor == "sqlite":

    def test_nor_while_checks_are_ignored_and_a_row_is_put_where_it_points(
        conversation: Conversation, exchange: Exchange
    ) -> None:
        exchange()
        nowhere = copied("holdfast_audit_entry", f"id = {conversation.active_entry_id}", id="0", number="2")
        _execute("PRAGMA ignore_check_constraints = ON")
        try:
            with pytest.raises(IntegrityError, match="no row is ever at 0"), transaction.atomic():
                _execute(nowhere)
            with pytest.raises(IntegrityError), transaction.atomic():
                _give_permit(conversation)
        finally:
            _execute("PRAGMA ignore_check_constraints = OFF")
        assert not PurgePermit.objects.exists()


def test_a_conversation_cannot_be_committed_pointing_nowhere(conversation: Conversation) -> None:
    nowhere = copied(
        "holdfast_conversation",
        f"id = {conversation.pk}",
        public_id="'00000000000000000000000000000000'",
        key="'c'",
        active_session_id="0",
        active_entry_id="0",
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        _execute(nowhere)
    assert Conversation.objects.count() == 1


def test_a_purge_by_its_service_is_committed_and_leaves_the_audit_log(
    conversation: Conversation, exchange: Exchange, alice: User, origin: Origin
) -> None:
    exchange()
    purge_conversation(conversation, by=alice, confirmation=conversation.key, origin=origin)
    assert not Conversation.objects.exists()
    assert not Session.objects.exists()
    assert not SessionEvent.objects.exists()
    assert [entry.action for entry in AuditEntry.objects.order_by("pk")] == ["start", "purge"]


def _give_permit(conversation: Conversation) -> None:
    for sql in (purge_of(str(conversation.pk)), permit(str(conversation.pk))):
        _execute(sql)


def _execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
