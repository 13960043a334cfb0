from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, Session, User
from sessions_app.services.transcript import post_message


def page(operator: Client, session: Session, **query: str) -> str:
    answer = operator.get(reverse("admin:transcript", args=[session.public_id]), query_params=query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_operator_reads_it_rendered(operator: Client, conversation: Conversation) -> None:
    html = page(operator, conversation.active_session)
    assert "<strong>committed before it is shown</strong>" in html
    assert "list_checkpoints" in html


def test_every_look_is_in_the_audit_log(operator: Client, olga: User, lost: Session) -> None:
    page(operator, lost)
    entry = AuditEntry.objects.get(action="open_transcript")
    assert (entry.trigger, entry.actor_id, entry.told["session"]["number"]) == ("admin", olga.pk, 1)


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "![x](https://evil.example/x.png)", "[x](javascript:alert(1))"]
)
def test_nothing_anybody_writes_runs_or_fetches(
    operator: Client, conversation: Conversation, alice: User, text: str
) -> None:
    post_message(conversation, by=alice, text=text, client_id=uuid.uuid4().hex)
    html = page(operator, conversation.active_session)
    assert "<script>alert" not in html
    assert "<img" not in html
    assert 'href="javascript:' not in html


def test_long_ones_come_in_pages(operator: Client, conversation: Conversation, alice: User) -> None:
    for number in range(60):
        post_message(conversation, by=alice, text=f"line {number:03}", client_id=f"line-{number}")
    newest = page(operator, conversation.active_session)
    assert "line 059" in newest
    assert "line 001" not in newest
    before = newest.split("?before=")[1][:36]
    assert "line 001" in page(operator, conversation.active_session, before=before)


def test_staff_without_the_permission_read_nothing(
    client: Client, conversation: Conversation, sam: User, alice: User
) -> None:
    address = reverse("admin:transcript", args=[conversation.active_session.public_id])
    for person in (sam, alice):
        client.force_login(person)
        assert client.get(address).status_code in (302, 403)
    assert not AuditEntry.objects.filter(action="open_transcript").exists()
