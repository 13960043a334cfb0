"""The doors for the page's scripts: each works, refuses strangers and nonsense, and gives the same twice."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Agent, Checkpoint, Conversation, Message, PersonalState, Turn, User
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.transcript import post_message

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

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


def send(client: Client, name: str, row: Any, /, **fields: object) -> TestResponse:
    return client.post(
        reverse(name, args=[row.public_id]), json.dumps(fields), content_type="application/json"
    )


def reply_in(conversation: Conversation) -> Message:
    return conversation.messages.get(role="agent")


def test_a_title_that_was_chosen_is_kept_and_told(
    client: Client, alice: User, conversation: Conversation
) -> None:
    assert send(client, "title", conversation, title="  The  deep ").json() == {"title": "The deep"}
    page = client.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert "renamed this to “The deep”" in page


def test_settings_change_what_is_sent_and_leave_the_rest(
    client: Client, alice: User, conversation: Conversation
) -> None:
    other = Agent.objects.create(
        workspace=conversation.workspace, name="Other", handle="other", provider="demo"
    )
    assert send(client, "settings", conversation, agent="other").json()["agent"] == "Other"
    assert (
        send(client, "settings", conversation, answers="mentioned", system_prompt="Be brief.").status_code
        == 200
    )
    conversation.refresh_from_db()
    assert (conversation.agent, conversation.answers) == (other, "mentioned")
    assert send(client, "settings", conversation, answers="never").status_code == 400
    assert send(client, "settings", conversation, agent="nobody").status_code == 404


def test_pinning_is_ones_own_and_twice_is_once(
    client: Client, alice: User, conversation: Conversation
) -> None:
    for _ in range(2):
        assert send(client, "pin", conversation, pinned=True).json() == {"pinned": True}
    assert PersonalState.objects.get().pinned_at is not None
    assert send(client, "pin", conversation, pinned="yes").status_code == 400


def test_archiving_can_be_taken_back(client: Client, alice: User, conversation: Conversation) -> None:
    assert send(client, "archive", conversation, archived=True).json() == {"archived": True}
    refused = send(client, "messages", conversation, text="x", client_id="1")
    assert (refused.status_code, refused.json()["code"]) == (409, "conversation_archived")
    assert send(client, "archive", conversation, archived=False).json() == {"archived": False}


def test_a_checkpoint_is_taken(client: Client, alice: User, conversation: Conversation) -> None:
    assert send(client, "checkpoints", conversation, name="Before lunch").status_code == 201
    assert Checkpoint.objects.get().name == "Before lunch"


def test_a_message_is_sent_once_however_often(
    client: Client, alice: User, conversation: Conversation
) -> None:
    sent = {"text": "hello", "client_id": "one", "session": str(conversation.active_session.public_id)}
    first, second = (send(client, "messages", conversation, **sent) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["message"] == second.json()["message"]
    assert Turn.objects.filter(question__public_id=first.json()["message"]).count() == 1
    other = send(client, "messages", conversation, text="other", client_id="one")
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")


def test_a_session_that_is_not_here_is_not_found(
    client: Client, alice: User, conversation: Conversation
) -> None:
    sent = send(client, "messages", conversation, text="x", client_id="1", session=str(uuid.uuid4()))
    assert sent.status_code == 404


def test_draft_and_marker_come_back_with_the_page(
    client: Client, alice: User, conversation: Conversation
) -> None:
    assert send(client, "draft", conversation, text="half a thought").status_code == 204
    assert send(client, "read", conversation.active_session, seq=2).status_code == 204
    page = client.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert 'data-server-draft="half a thought"' in page
    assert 'data-read-seq="2"' in page
    assert page.index("new since you were here") < page.index(f"message-{reply_in(conversation).public_id}")


def test_an_edited_message_goes_into_a_new_session(
    client: Client, alice: User, conversation: Conversation
) -> None:
    message = post_message(conversation, by=alice, text="frist", client_id="1").message
    old = conversation.active_session
    answer = send(client, "edits", message, text="first", client_id="2", session=str(old.public_id))
    assert answer.status_code == 200
    conversation.refresh_from_db()
    assert answer.json()["session"] == str(conversation.active_session.public_id) != str(old.public_id)
    stale = send(client, "edits", message, text="third", client_id="3", session=str(old.public_id))
    assert (stale.status_code, stale.json()["code"]) == (409, "session_changed")


def test_somebody_elses_message_is_not_edited(
    client: Client, alice: User, conversation: Conversation
) -> None:
    message = conversation.messages.get(author__username="mia")
    assert send(client, "edits", message, text="x", client_id="1").status_code == 403


def test_a_fork_ends_before_the_message(client: Client, alice: User, conversation: Conversation) -> None:
    assert send(client, "forks", reply_in(conversation), idempotency_key="k").status_code == 204
    conversation.refresh_from_db()
    assert conversation.active_session.message_count == 1
    assert send(client, "forks", reply_in(conversation), idempotency_key="k").status_code == 204
    assert conversation.sessions.count() == 2


def test_another_version_is_asked_for_once(client: Client, alice: User, conversation: Conversation) -> None:
    turns = {send(client, "versions", reply_in(conversation)).json()["turn"] for _ in range(2)}
    assert len(turns) == 1
    assert send(client, "continuations", reply_in(conversation)).status_code == 409


def test_what_waits_can_be_withdrawn(client: Client, alice: User, conversation: Conversation) -> None:
    turn = post_message(conversation, by=alice, text="no", client_id="1").turn
    assert turn
    assert send(client, "withdraw", turn).json() == {"state": "withdrawn"}
    assert send(client, "stop", turn).json() == {"state": "withdrawn"}
    page = client.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert "is-withdrawn" in page


def test_the_log_is_read_in_the_form_of_the_socket(
    client: Client, alice: User, conversation: Conversation
) -> None:
    address = reverse("events", args=[conversation.active_session.public_id])
    found = client.get(address, {"after": "1"}).json()
    seqs = [event["seq"] for event in found["events"]]
    assert seqs == list(range(2, found["last"] + 1))
    assert found["events"][0]["kind"] == "message_posted"
    assert client.get(address, {"after": str(found["last"])}).json()["events"] == []
    assert client.get(address, {"after": "-1"}).status_code == 400


def test_one_message_and_its_text_are_given_alone(
    client: Client, alice: User, conversation: Conversation
) -> None:
    reply = reply_in(conversation)
    where = [reply.session.public_id, reply.public_id]
    assert (
        "<strong>committed before it is shown</strong>"
        in client.get(reverse("message", args=where)).content.decode()
    )
    assert (
        "**committed before it is shown**" in client.get(reverse("message_text", args=where)).content.decode()
    )


def test_a_window_says_what_lies_beyond_it(client: Client, alice: User, conversation: Conversation) -> None:
    messages = [
        post_message(conversation, by=alice, text=f"n{i}", client_id=str(i)).message for i in range(120)
    ]
    address = reverse("message_window", args=[conversation.active_session.public_id])

    def window(**query: str) -> tuple[int, str]:
        response = client.get(address, query)
        return response.content.decode().count('class="message '), response["Holdfast-Has-Older"] + response[
            "Holdfast-Has-Newer"
        ]

    middle = str(messages[60].public_id)
    assert window() == (50, "10")
    assert window(before=middle) == (50, "11")
    assert window(after=middle) == (50, "11")
    assert window(around=middle) == (51, "11")
    assert window(after=str(messages[-1].public_id)) == (0, "10")
    assert client.get(address, {"around": str(uuid.uuid4())}).status_code == 404


def test_a_conversation_starts_with_its_first_message(
    client: Client, alice: User, conversation: Conversation
) -> None:
    address = reverse("new_conversation", args=["demo"])
    response = client.post(address, {"text": "Ahoy", "agent": "demo", "client_id": "start"})
    started = Conversation.objects.latest("pk")
    assert (response.status_code, response["Location"]) == (
        302,
        reverse("conversation", args=[started.public_id]),
    )
    assert (started.messages.get().client_id, started.agent and started.agent.handle) == ("start", "demo")
    refused = client.post(address, {"text": "/new please"})
    assert (refused.status_code, "/new please" in refused.content.decode()) == (400, True)
    assert Conversation.objects.count() == 2


def test_the_context_meter_has_figures(client: Client, alice: User, conversation: Conversation) -> None:
    figures = client.get(reverse("context", args=[conversation.public_id])).json()
    assert 0 < figures["used"] < figures["limit"]
