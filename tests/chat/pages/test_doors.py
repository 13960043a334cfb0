"""Every door of the pages, walked: strangers find nothing, nonsense gets a sentence, viewers change nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from chat.models import ApiToken
from chat.tokens import create_token
from sessions_app.models import Conversation, Invitation, Membership, Message, PersonalState, Turn, User
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.invitations import invite
from tests.chat.pages.test_actions import send

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation() -> Conversation:
    create_demo_team(password="correct horse")
    return Conversation.objects.get(key="team:general")


@pytest.fixture
def alice(conversation: Conversation, client: Client) -> User:
    alice = User.objects.get(username="alice")
    client.force_login(alice)
    return alice


OF_ONES_OWN = ("account/", "invitations/", "login/", "password/")
# Answered on threads of their own, which do not see what a test has not committed: test_transfers.py tries them.
ON_OTHER_THREADS = ("conversations/<uuid:public_id>/exports/", "imports/<slug:slug>/")


def doors() -> list[str]:
    """Every address of the pages that names something of a team; those of one's own account, and
    links that are secrets themselves, name none."""
    found = []
    for pattern in get_resolver("chat.pages.urls").url_patterns:
        children = getattr(pattern, "url_patterns", None) or [None]
        found += [str(pattern.pattern) + (str(child.pattern) if child else "") for child in children]
    return [
        path
        for path in found
        if "<" in path and not path.startswith(OF_ONES_OWN) and path not in ON_OTHER_THREADS
    ]


@pytest.fixture
def known(conversation: Conversation) -> dict[str, Any]:
    turn = Turn.objects.get()
    return {
        "conversations": conversation,
        "sessions": conversation.active_session,
        "messages": conversation.messages.get(role="person"),
        "turns": turn,
        "checkpoints": take_checkpoint(conversation, by=conversation.started_by, name="Decision"),
        "tokens": create_token(User.objects.get(username="alice"), name="script")[0],
        "invitations": invite(conversation.workspace, by=None)[0],
    }


def address_of(path: str, known: dict[str, Any], conversation: Conversation) -> str:
    kind = path.split("/")[0]
    if kind == "workspaces":
        named = path.replace("<slug:slug>", conversation.workspace.slug)
        named = named.replace("<uuid:person_id>", str(User.objects.get(username="mia").public_id))
        row = known["invitations" if "/invitations/" in path else "tokens"]
        return "/" + named.replace("<uuid:public_id>", str(row.public_id))
    message = str(known["messages"].public_id)
    return "/" + path.replace("<uuid:public_id>", str(known[kind].public_id)).replace(
        "<int:seq>", "1"
    ).replace("<uuid:message_id>", message)


def row_counts() -> list[int]:
    kept = (Message, Turn, PersonalState, Conversation, ApiToken, Membership, Invitation)
    return [model.objects.count() for model in kept]


@pytest.mark.parametrize("path", doors())
@pytest.mark.parametrize("method", ["get", "post"])
def test_to_a_stranger_nothing_is_found(
    client: Client, conversation: Conversation, known: dict[str, Any], path: str, method: str
) -> None:
    client.force_login(User.objects.create_user("bob"))
    before = row_counts()
    status = getattr(client, method)(
        address_of(path, known, conversation), content_type="application/json"
    ).status_code
    assert status in (404, 405)
    assert row_counts() == before


@pytest.mark.parametrize("path", doors())
def test_without_a_login_no_door_opens(
    client: Client, conversation: Conversation, known: dict[str, Any], path: str
) -> None:
    for method in ("get", "post"):
        response = getattr(client, method)(
            address_of(path, known, conversation), content_type="application/json"
        )
        assert response.status_code in (302, 401, 405)


@pytest.mark.parametrize("path", [path for path in doors() if "<uuid" in path])
@pytest.mark.parametrize("body", ["", "[]", "{", "[" * 100_000, '{"text": 3}', "null", '{"text": "\\ud800"}'])
def test_nonsense_gets_a_sentence_and_never_an_error(
    client: Client, alice: User, conversation: Conversation, known: dict[str, Any], path: str, body: str
) -> None:
    response = client.post(address_of(path, known, conversation), body, content_type="application/json")
    assert response.status_code < 500


def test_a_viewer_reads_and_changes_nothing(
    client: Client, conversation: Conversation, known: dict[str, Any]
) -> None:
    client.force_login(User.objects.get(username="vera"))
    page = client.get(reverse("conversation", args=[conversation.public_id]))
    assert (page.status_code, "composer-text" in page.content.decode()) == (200, False)
    fields = {"text": "x", "client_id": "1", "title": "x", "archived": True, "name": "x", "answers": "always"}
    for name, kind in (
        ("title", "conversations"), ("settings", "conversations"), ("archive", "conversations"),
        ("checkpoints", "conversations"), ("draft", "conversations"), ("messages", "conversations"),
        ("edits", "messages"), ("forks", "messages"), ("continuations", "messages"), ("versions", "messages"),
        ("stop", "turns"), ("withdraw", "turns"),
    ):  # fmt: skip
        response = send(client, name, known[kind], **fields)
        assert (response.status_code, response.json()["code"]) == (403, "not_allowed"), name


def test_a_forged_request_changes_nothing(conversation: Conversation) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(User.objects.get(username="alice"))
    assert send(visitor, "archive", conversation, archived=True).status_code == 403
    conversation.refresh_from_db()
    assert not conversation.is_archived
