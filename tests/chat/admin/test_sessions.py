from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, Session, User
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation
from tests.sessions_app.conftest import PAGE

LIST = "admin:sessions_app_session_changelist"


def rows(operator: Client, **query: str) -> list[Session]:
    answer = operator.get(reverse(LIST), query_params=query)
    assert answer.status_code == 200, answer
    return list(answer.context["cl"].result_list)


def chosen(*sessions: Session, **more: str) -> dict[str, object]:
    return {"action": "restore_chosen", "_selected_action": [session.pk for session in sessions], **more}


@pytest.fixture
def another(conversation: Conversation, alice: User) -> Session:
    other = start_conversation(conversation.workspace, by=alice, key="team:other")
    first = other.active_session
    reset_conversation(other, by=alice, expected_session=first, origin=PAGE, reason="tidy")
    first.refresh_from_db()
    return first


def test_a_lost_session_is_found_by_whatever_is_known_of_it(operator: Client, lost: Session) -> None:
    known = ["team:general", "General", str(lost.public_id), str(lost.public_id)[:8], "alice", "Alice"]
    for words in [*known, "by mistake", "192.0.2.9", str(lost.conversation.public_id)]:
        assert lost in rows(operator, q=words, state="archived"), words
    assert rows(operator, q="nobody knows this") == []


def test_it_is_narrowed_down_by_state_trigger_and_date(
    operator: Client, lost: Session, conversation: Conversation
) -> None:
    assert rows(operator, state="archived") == [lost]
    assert rows(operator, state="active") == [conversation.active_session]
    assert rows(operator, through="page") == [lost]
    assert rows(operator, through="rest") == []
    assert lost in rows(operator, archived_at__gte="2020-01-01 00:00:00+00:00")


def test_many_are_restored_after_a_preview(
    operator: Client, olga: User, lost: Session, another: Session
) -> None:
    preview = operator.post(reverse(LIST), chosen(lost, another))
    html = preview.content.decode()
    assert "2 of 2 can be restored" in html
    assert "session 1 (2 messages)" in html
    assert not AuditEntry.objects.filter(action="restore_session").exists()
    answer = operator.post(
        reverse(LIST), chosen(lost, another, confirmed="yes", reason="incident 7"), follow=True
    )
    assert "2 sessions are active again" in answer.content.decode()
    entries = AuditEntry.objects.filter(action="restore_session")
    assert {(entry.trigger, entry.actor_id, entry.told["reason"]) for entry in entries} == {
        ("admin", olga.pk, "incident 7")
    }
    assert {session.is_active for session in Session.objects.filter(number=1)} == {True}


def test_the_preview_says_what_cannot_be(operator: Client, lost: Session, conversation: Conversation) -> None:
    html = operator.post(reverse(LIST), chosen(lost, conversation.active_session)).content.decode()
    assert "0 of 2 can be restored" in html
    assert "only one can be active" in html


def test_staff_without_the_permission_restore_none(client: Client, lost: Session, sam: User) -> None:
    client.force_login(sam)
    assert client.post(reverse(LIST), chosen(lost, confirmed="yes")).status_code == 403
    assert not AuditEntry.objects.filter(action="restore_session").exists()
