"""Resetting, restoring and undoing through the page's own doors."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Checkpoint, Conversation, Session, User
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import last_compaction, record_compaction
from sessions_app.services.recovery import settle_orphan
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.chat.recovery.cast import alice, conversation, lost, olga
from tests.sessions_app.acting import append_texts

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

__all__ = ["alice", "conversation", "lost", "olga"]


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def send(client: Client, name: str, public_id: object, /, **fields: object) -> TestResponse:
    return client.post(reverse(name, args=[public_id]), json.dumps(fields), content_type="application/json")


def confirmation(client: Client, conversation: Conversation) -> str:
    html = client.get(reverse("reset", args=[conversation.public_id])).content.decode()
    found = re.search(r'name="confirmation" value="([^"]+)"', html)
    assert found
    return found[1]


def reset(client: Client, conversation: Conversation, **fields: object) -> TestResponse:
    token = confirmation(client, conversation)
    return send(client, "resets", conversation.public_id, confirmation=token, **fields)


def active(conversation: Conversation) -> Session:
    conversation.refresh_from_db()
    return conversation.active_session


def test_the_dialog_shows_key_id_count_and_where(browser: Client, conversation: Conversation) -> None:
    html = browser.get(reverse("reset", args=[conversation.public_id])).content.decode()
    session = conversation.active_session
    for words in ("team:general", str(session.public_id), "2 messages", "the history of team:general"):
        assert words in html


@pytest.mark.parametrize("through", ["menu", "page"])
def test_a_confirmed_reset_says_what_happened_and_leaves_its_entry(
    browser: Client, alice: User, conversation: Conversation, through: str
) -> None:
    answer = reset(browser, conversation, reason="a new topic", through=through)
    assert answer.json()["says"] == (
        "Session 2 with 0 messages is active now; session 1 with 2 messages is in the history."
    )
    entry = AuditEntry.objects.get(action="reset")
    assert (entry.trigger, entry.actor_id, entry.number) == (through, alice.pk, answer.json()["undo"])
    assert (entry.told["reason"], entry.told["address"]) == ("a new topic", "127.0.0.1")


def test_a_replay_from_a_stale_tab_does_nothing(browser: Client, conversation: Conversation) -> None:
    token = confirmation(browser, conversation)
    first = send(browser, "resets", conversation.public_id, confirmation=token)
    again = send(browser, "resets", conversation.public_id, confirmation=token)
    assert first.json() == again.json()
    assert conversation.sessions.count() == 2


def test_of_two_tabs_the_second_is_told(browser: Client, conversation: Conversation) -> None:
    tokens = [confirmation(browser, conversation) for _ in range(2)]
    answers = [send(browser, "resets", conversation.public_id, confirmation=token) for token in tokens]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[1].json()["code"] == "session_changed"
    assert conversation.sessions.count() == 2


@pytest.mark.parametrize("fields", [{}, {"confirmation": 7}, {"confirmation": "x"}, {"confirmation": ""}])
def test_without_a_confirmation_nothing_is_reset(
    browser: Client, conversation: Conversation, fields: dict[str, Any]
) -> None:
    assert send(browser, "resets", conversation.public_id, **fields).status_code == 400
    assert conversation.sessions.count() == 1


def test_the_new_session_begins_with_a_mark_that_leads_to_the_old_one(
    browser: Client, conversation: Conversation
) -> None:
    old = conversation.active_session
    reset(browser, conversation, reason="a new topic")
    html = browser.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert "Alice started a new session" in html
    assert "a new topic" in html
    assert reverse("session", args=[old.public_id]) in html
    assert "session 1 with its 2 messages is kept" in html


@pytest.mark.parametrize("text", ["/new", "/RESET now", " \uff0fnew", "/reset\nplease"])
def test_a_message_never_resets(browser: Client, conversation: Conversation, text: str) -> None:
    answer = send(browser, "messages", conversation.public_id, text=text, client_id="x", session=None)
    assert (answer.status_code, answer.json()["code"]) == (400, "command_in_message")
    assert "New session" in answer.json()["sentence"]
    assert conversation.sessions.count() == 1
    assert conversation.messages.count() == 2


def test_a_session_is_restored_and_that_undone(
    browser: Client, conversation: Conversation, lost: Session
) -> None:
    digest = lost.head_digest
    done = send(
        browser, "session_restores", lost.public_id, expected_session=str(active(conversation).public_id)
    )
    assert done.status_code == 200
    assert (active(conversation), active(conversation).head_digest) == (lost, digest)
    assert AuditEntry.objects.latest("pk").trigger == "restore"
    undone = send(browser, "undos", conversation.public_id, entry=done.json()["undo"])
    assert "Session 2 with 0 messages is active now" in undone.json()["says"]
    assert send(browser, "undos", conversation.public_id, entry=done.json()["undo"]).status_code == 409
    assert AuditEntry.objects.latest("pk").trigger == "undo"


def test_a_restore_of_what_somebody_else_moved_on_from_is_refused(
    browser: Client, conversation: Conversation, lost: Session
) -> None:
    stale = str(active(conversation).public_id)
    assert send(browser, "session_restores", lost.public_id, expected_session=stale).status_code == 200
    again = send(browser, "session_restores", lost.public_id, expected_session=stale)
    assert (again.status_code, again.json()["code"]) == (409, "session_changed")


def test_restoring_twice_with_one_key_is_once(browser: Client, lost: Session) -> None:
    answers = [
        send(browser, "session_restores", lost.public_id, idempotency_key="k").json() for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert AuditEntry.objects.filter(action="restore_session").count() == 1


def test_a_checkpoint_is_viewed_and_restored(
    browser: Client, conversation: Conversation, lost: Session
) -> None:
    checkpoint = Checkpoint.objects.get(session=lost)
    view = browser.get(reverse("checkpoint", args=[checkpoint.public_id]))
    assert view["Location"].startswith(reverse("session", args=[lost.public_id]) + "?around=")
    assert browser.get(view["Location"]).status_code == 200
    assert send(browser, "checkpoint_restores", checkpoint.public_id).status_code == 200
    assert (active(conversation).parent, active(conversation).message_count) == (lost, 2)


def test_restoring_before_a_compaction_gives_the_full_context_back(
    browser: Client, conversation: Conversation
) -> None:
    taken = record_compaction(conversation.active_session, summary="in <b>short</b>", by=None)
    page = browser.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert "in &lt;b&gt;short&lt;/b&gt;" in page
    assert "Restore full context" in page
    assert reverse("checkpoint_restores", args=[taken.public_id]) in page
    send(browser, "checkpoint_restores", taken.public_id)
    assert last_compaction(active(conversation)) is None


def test_an_archived_session_is_readable_and_offers_to_come_back(browser: Client, lost: Session) -> None:
    html = browser.get(reverse("session", args=[lost.public_id])).content.decode()
    assert "Restore this session" in html
    assert 'id="composer-text"' not in html


def test_the_page_says_what_a_crash_left(browser: Client, conversation: Conversation, alice: User) -> None:
    address = reverse("recovery", args=[conversation.public_id])
    assert browser.get(address).json() == {"sentence": "", "key": ""}
    turn = post_message(conversation, by=alice, text="go", client_id="go").turn
    assert turn is not None
    append_texts(claim_turn(turn, owner="x"), "four")
    turn.refresh_from_db()
    settle_orphan(turn, new_owner="", can_continue=False)
    told = browser.get(address).json()
    assert "4 characters (about 1 tokens) had been saved" in told["sentence"]
    page = browser.get(reverse("conversation", args=[conversation.public_id])).content.decode()
    assert told["key"] in page


def test_strangers_find_nothing_and_viewers_move_nothing(
    client: Client, conversation: Conversation, lost: Session
) -> None:
    checkpoint = Checkpoint.objects.get(session=lost)
    doors: list[tuple[str, object, dict[str, object]]] = [
        ("resets", conversation.public_id, {"confirmation": "x"}),
        ("undos", conversation.public_id, {"entry": 2}),
        ("session_restores", lost.public_id, {}),
        ("checkpoint_restores", checkpoint.public_id, {}),
    ]
    looks = [
        ("reset", conversation.public_id),
        ("session_history", conversation.public_id),
        ("recovery", conversation.public_id),
        ("checkpoint", checkpoint.public_id),
    ]
    entries = AuditEntry.objects.count()
    client.force_login(User.objects.create_user("bob"))
    assert {send(client, name, thing, **fields).status_code for name, thing, fields in doors} == {404}
    assert {client.get(reverse(name, args=[thing])).status_code for name, thing in looks} == {404}
    client.force_login(User.objects.get(username="vera"))
    assert {send(client, name, thing, **fields).status_code for name, thing, fields in doors[1:]} == {403}
    assert client.get(reverse("reset", args=[conversation.public_id])).status_code == 403
    client.logout()
    assert {send(client, name, thing, **fields).status_code for name, thing, fields in doors} == {401}
    assert AuditEntry.objects.count() == entries


def test_a_forged_request_is_refused(alice: User, lost: Session) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert send(strict, "session_restores", lost.public_id).status_code == 403


def test_a_named_checkpoint_is_in_the_history(
    browser: Client, conversation: Conversation, alice: User
) -> None:
    take_checkpoint(conversation, by=alice, name="<i>Decision</i>")
    html = browser.get(reverse("session_history", args=[conversation.public_id])).content.decode()
    assert "&lt;i&gt;Decision&lt;/i&gt;" in html
