"""What a page of another site sends with a visitor's login: refused at every door that changes something."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, Message, Session, User
from sessions_app.services.confirmed_reset import what_would_be_archived
from sessions_app.services.demo_team import create_demo_team
from tests.chat.pages.test_actions import send
from tests.chat.test_rates import changing_doors

pytestmark = pytest.mark.django_db
TOKEN = "a" * 32
FORMS = ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x")


@pytest.fixture
def conversation() -> Conversation:
    create_demo_team(password="correct horse")
    return Conversation.objects.select_related("active_session", "workspace").get(key="team:general")


@pytest.fixture
def visitor(conversation: Conversation) -> Client:
    """alice's browser, as it is outside of tests: requests are checked."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="alice"))
    client.cookies["csrftoken"] = TOKEN
    return client


def rows() -> tuple[int, int, int]:
    return Message.objects.count(), Session.objects.count(), AuditEntry.objects.count()


@pytest.mark.parametrize("name", [name for name, _ in changing_doors()])
def test_no_door_of_the_pages_opens_without_the_pages_own_token(
    visitor: Client, conversation: Conversation, name: str
) -> None:
    before = rows()
    assert send(visitor, name, conversation).status_code == 403
    assert rows() == before


def reset(visitor: Client, conversation: Conversation, kind: str, **headers: str) -> Any:
    user = User.objects.get(username="alice")
    confirmation = what_would_be_archived(conversation, by=user).confirmation
    body = json.dumps({"confirmation": confirmation})
    address = reverse("resets", args=[conversation.public_id])
    return visitor.post(address, body, content_type=kind, headers=headers)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example"])
def test_another_sites_page_resets_nothing_even_with_the_token(
    visitor: Client, conversation: Conversation, origin: str
) -> None:
    before = rows()
    answer = reset(visitor, conversation, "application/json", **{"X-CSRFToken": TOKEN, "Origin": origin})
    assert answer.status_code == 403
    assert rows() == before


@pytest.mark.parametrize("kind", FORMS)
def test_a_form_of_another_site_resets_nothing(
    visitor: Client, conversation: Conversation, kind: str
) -> None:
    """A form can send these kinds without asking the server first."""
    before = rows()
    assert reset(visitor, conversation, kind, Origin="https://evil.example").status_code == 403
    assert rows() == before


def test_the_page_itself_resets(visitor: Client, conversation: Conversation) -> None:
    """Otherwise the others would show nothing."""
    own = {"X-CSRFToken": TOKEN, "Origin": "http://testserver"}
    assert reset(visitor, conversation, "application/json", **own).status_code == 200
