from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, User
from tests.chat.recovery.cast import alice, conversation, olga

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

__all__ = ["alice", "conversation", "olga"]


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def send(client: Client, name: str, conversation: Conversation, **fields: object) -> TestResponse:
    address = reverse(name, args=[conversation.public_id])
    return client.post(address, json.dumps(fields), content_type="application/json")


def listed(client: Client) -> str:
    return client.get(reverse("deleted", args=["demo"])).content.decode()


def test_what_was_deleted_is_listed_and_comes_back(browser: Client, conversation: Conversation) -> None:
    assert send(browser, "deletions", conversation).json()["next"] == reverse("deleted", args=["demo"])
    page = listed(browser)
    assert "team:general" in page
    assert "2 messages in 1 session" in page
    assert (
        "This conversation is deleted"
        in browser.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    )
    back = send(browser, "undeletions", conversation).json()["next"]
    assert back == reverse("conversation", args=[conversation.public_id])
    assert "Nothing was deleted." in listed(browser)
    acts = AuditEntry.objects.filter(action__in=["delete", "undelete"])
    assert [(entry.trigger, entry.told["address"]) for entry in acts] == [("page", "127.0.0.1")] * 2


def test_an_owner_purges_by_typing_the_key(browser: Client, conversation: Conversation) -> None:
    send(browser, "deletions", conversation)
    wrong = send(browser, "purges", conversation, confirmation="General")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "confirmation_mismatch")
    assert Conversation.objects.exists()
    assert send(browser, "purges", conversation, confirmation="team:general").status_code == 200
    assert not Conversation.objects.exists()
    assert AuditEntry.objects.get(action="purge").told["goes"]["messages"] == 2


def test_members_restore_and_only_owners_are_offered_to_purge(
    client: Client, browser: Client, conversation: Conversation
) -> None:
    send(browser, "deletions", conversation)
    assert "Delete for good" in listed(browser)
    client.force_login(User.objects.get(username="mia"))
    assert "Restore" in listed(client)
    assert "Delete for good" not in listed(client)
    assert send(client, "purges", conversation, confirmation="team:general").status_code == 403
    client.force_login(User.objects.get(username="vera"))
    assert "Restore" not in listed(client)
    assert send(client, "undeletions", conversation).status_code == 403


def test_strangers_find_nothing(client: Client, conversation: Conversation) -> None:
    client.force_login(User.objects.create_user("bob"))
    assert client.get(reverse("deleted", args=["demo"])).status_code == 404
    for name in ("deletions", "undeletions", "purges"):
        assert send(client, name, conversation, confirmation="team:general").status_code == 404
    assert Conversation.objects.filter(deleted_at=None).exists()
