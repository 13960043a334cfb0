"""F16: whatever text comes through the pages is kept, visibly replaced, or refused with a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Conversation, Message, PersonalState, Session, User
from sessions_app.services.confirmed_reset import what_would_be_archived
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.folding import text_of
from tests.chat.hostile_texts import MILLION, TEXTS, kept
from tests.chat.pages.test_actions import send

pytestmark = pytest.mark.django_db
texts = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@pytest.fixture
def conversation() -> Conversation:
    create_demo_team(password="correct horse")
    return Conversation.objects.select_related("active_session", "workspace").get(key="team:general")


@pytest.fixture
def alice(conversation: Conversation, client: Client) -> Client:
    client.force_login(User.objects.get(username="alice"))
    return client


@texts
def test_a_message_a_draft_and_a_title_are_kept_or_visibly_replaced(
    alice: Client, conversation: Conversation, text: str
) -> None:
    posted = send(alice, "messages", conversation, text=text, client_id="1")
    message = Message.objects.get(public_id=posted.json()["message"])
    assert text_of(message.folded) == kept(text)
    assert send(alice, "draft", conversation, text=text).status_code == 204
    assert PersonalState.objects.get(conversation=conversation).draft == kept(text)
    assert send(alice, "title", conversation, title=text[:200]).status_code == 200
    assert (
        send(alice, "checkpoints", conversation, name=text[:200]).json()["name"] == kept(text[:200]).strip()
    )
    assert send(alice, "settings", conversation, system_prompt=text).status_code == 200
    conversation.refresh_from_db()
    assert conversation.title == " ".join(kept(text[:200]).split())
    assert conversation.system_prompt == kept(text)
    assert alice.get(reverse("conversation", args=[conversation.public_id])).status_code == 200


@texts
def test_a_reason_is_kept_or_refused(alice: Client, conversation: Conversation, text: str) -> None:
    answer = reset(alice, conversation, text[:500])
    assert answer.status_code == 200
    [old] = Session.objects.exclude(archived_at=None)
    assert old.archived_reason == kept(text[:500])
    history = alice.get(reverse("session_history", args=[conversation.public_id]))
    assert history.status_code == 200


@pytest.mark.parametrize("reason", ["x" * 501, MILLION], ids=["501", "a million"])
def test_a_reason_that_nobody_would_read_is_refused(
    alice: Client, conversation: Conversation, reason: str
) -> None:
    answer = reset(alice, conversation, reason)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert "at most 500 characters; nothing was changed" in answer.json()["sentence"]
    assert Session.objects.count() == 1


@texts
def test_no_form_breaks(alice: Client, conversation: Conversation, text: str) -> None:
    slug = conversation.workspace.slug
    for name, fields in (
        ("new_conversation", {"text": text, "agent": text}),
        ("tokens", {"name": text, "scope": "read", "reach": "one", "days": "30", "conversation": text}),
        ("invitations", {"email": text, "role": "member", "days": "7", "whom": "one"}),
    ):
        form = {field: value.encode("utf-8", "replace").decode() for field, value in fields.items()}
        assert alice.post(reverse(name, args=[slug]), form).status_code < 500, name
    assert (
        alice.get(reverse("search", args=[slug]), {"q": text.encode("utf-8", "replace")}).status_code == 200
    )


def test_a_million_characters_are_refused_and_nothing_is_written(
    alice: Client, conversation: Conversation
) -> None:
    before = Message.objects.count()
    for name, fields in (
        ("messages", {"text": MILLION, "client_id": "1"}),
        ("title", {"title": MILLION}),
        ("settings", {"system_prompt": MILLION}),
        ("checkpoints", {"name": MILLION}),
        ("draft", {"text": MILLION}),
    ):
        answer = send(alice, name, conversation, **fields)
        assert answer.status_code == 400, name
        assert answer.json()["sentence"]
    assert Message.objects.count() == before


def test_a_body_larger_than_any_form_is_refused_before_it_is_read(
    alice: Client, conversation: Conversation
) -> None:
    body = json.dumps({"text": "x" * 3_000_000, "client_id": "1"})
    address = reverse("messages", args=[conversation.public_id])
    answer = alice.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "nothing was changed" in answer.json()["sentence"]


def reset(alice: Client, conversation: Conversation, reason: str) -> Any:
    user = User.objects.get(username="alice")
    confirmation = what_would_be_archived(conversation, by=user).confirmation
    return send(alice, "resets", conversation, confirmation=confirmation, reason=reason)
