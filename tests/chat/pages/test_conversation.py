from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Conversation, User
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.transcript import post_message

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation() -> Conversation:
    create_demo_team(password="correct horse")
    return Conversation.objects.get(key="team:general")


@pytest.fixture
def alice(conversation: Conversation) -> User:
    return User.objects.get(username="alice")


def page(client: Client, conversation: Conversation, user: User, **query: str) -> tuple[int, str]:
    client.force_login(user)
    response = client.get(reverse("conversation", args=[conversation.public_id]), query_params=query)
    return response.status_code, response.content.decode()


def test_it_shows_the_demo_conversation_from_the_database(
    client: Client, conversation: Conversation, alice: User
) -> None:
    status, html = page(client, conversation, alice)
    assert status == 200
    for words in (
        "team:general",
        "<strong>committed before it is shown</strong>",
        "list_checkpoints",
        "Reasoning",
    ):
        assert words in html


def test_the_index_lists_what_one_may_see(client: Client, conversation: Conversation, alice: User) -> None:
    client.force_login(alice)
    assert "team:general" in client.get(reverse("index")).content.decode()
    client.force_login(User.objects.create_user("bob"))
    assert "team:general" not in client.get(reverse("index")).content.decode()


def test_to_a_stranger_it_is_not_found(client: Client, conversation: Conversation) -> None:
    assert page(client, conversation, User.objects.create_user("bob"))[0] == 404


def test_without_a_login_it_leads_to_the_login_page(client: Client, conversation: Conversation) -> None:
    response = client.get(reverse("conversation", args=[conversation.public_id]))
    assert (response.status_code, response["Location"].split("?")[0]) == (302, reverse("account_login"))


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "![x](https://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
    ],
)
def test_nothing_anybody_writes_runs_or_fetches(
    client: Client, conversation: Conversation, alice: User, text: str
) -> None:
    post_message(conversation, by=alice, text=text, client_id="attack")
    html = page(client, conversation, alice)[1]
    for danger in ("<script>alert", "<img", 'href="javascript:'):
        assert danger not in html


def test_older_pages_are_reached_by_links(client: Client, conversation: Conversation, alice: User) -> None:
    for number in range(60):
        post_message(conversation, by=alice, text=f"line {number}.", client_id=str(number))
    html = page(client, conversation, alice)[1]
    assert "line 59." in html
    assert "line 9." not in html
    before = html.split("?before=")[1].split('"')[0]
    older = page(client, conversation, alice, before=before)[1]
    assert "line 9." in older
    assert "What happens to our work" in older


@pytest.mark.parametrize("before", ["nonsense", ""])
def test_a_cursor_that_is_no_id_shows_the_newest_page(
    client: Client, conversation: Conversation, alice: User, before: str
) -> None:
    assert page(client, conversation, alice, before=before)[0] == 200


def test_a_cursor_of_another_conversation_is_not_found(
    client: Client, conversation: Conversation, alice: User
) -> None:
    assert page(client, conversation, alice, before=str(uuid.uuid4()))[0] == 404
