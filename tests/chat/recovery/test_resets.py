from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, User
from sessions_app.services.confirmation import confirmation_for
from sessions_app.services.conversations import archive_conversation


def dialog(operator: Client, conversation: Conversation) -> tuple[str, str]:
    """The page and the confirmation in it."""
    html = operator.get(reverse("admin:reset", args=[conversation.public_id])).content.decode()
    found = re.search(r'name="confirmation" value="([^"]+)"', html)
    assert found
    return html, found[1]


def test_the_page_shows_key_id_count_and_where(operator: Client, conversation: Conversation) -> None:
    html, _ = dialog(operator, conversation)
    for words in (
        "team:general",
        str(conversation.active_session.public_id),
        "session 1 with 2 messages",
        "the history of team:general, as session 1",
    ):
        assert words in html
    assert conversation.sessions.count() == 1


def test_confirming_resets_on_the_record(operator: Client, olga: User, conversation: Conversation) -> None:
    address, (_, token) = (
        reverse("admin:reset", args=[conversation.public_id]),
        dialog(operator, conversation),
    )
    for _ in range(2):
        operator.post(address, {"confirmation": token, "reason": "asked by phone"})
    entry = AuditEntry.objects.get(action="reset")
    assert (entry.trigger, entry.actor_id, entry.told["reason"]) == ("admin", olga.pk, "asked by phone")
    assert (entry.told["address"], entry.told["client"]) == ("127.0.0.1", "olga's browser")
    assert conversation.sessions.count() == 2


def test_without_its_own_confirmation_nothing_is_reset(
    operator: Client, conversation: Conversation, alice: User
) -> None:
    address = reverse("admin:reset", args=[conversation.public_id])
    for token in ("", "x", confirmation_for(conversation.active_session, by=alice)):
        assert operator.post(address, {"confirmation": token}).status_code == 302
    assert not AuditEntry.objects.filter(action="reset").exists()


def test_an_archived_conversation_gives_a_sentence(
    operator: Client, conversation: Conversation, alice: User
) -> None:
    archive_conversation(conversation, by=alice)
    answer = operator.get(reverse("admin:reset", args=[conversation.public_id]), follow=True)
    assert "Take it out of the archive first" in answer.content.decode()
