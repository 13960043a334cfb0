from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Checkpoint, Conversation, Session, User
from sessions_app.services.deletion import delete_conversation
from tests.sessions_app.conftest import PAGE

SESSIONS = "admin:sessions_app_session_changelist"
CHECKPOINTS = "admin:sessions_app_checkpoint_changelist"


def said(operator: Client) -> str:
    """What the next page tells, without its markup."""
    html = operator.get(reverse("admin:recovery")).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html[html.index("<main") :]))


def pressed(client: Client, page: str, button: str) -> str:
    """Submits the list's own form, with its token, to the address of the first such button."""
    html = client.get(page).content.decode()
    address = re.search(rf'formaction="([^"]+)"[^>]*>{button}<', html)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html)
    assert address, html
    assert token
    answer = client.post(
        address[1], {"csrfmiddlewaretoken": token[1]}, headers={"Referer": f"http://testserver{page}"}
    )
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.fixture
def strict(olga: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(olga)
    return client


def test_a_session_is_restored_by_one_press_in_its_row(
    strict: Client, olga: User, conversation: Conversation, lost: Session
) -> None:
    page = reverse(SESSIONS) + "?state=archived"
    assert pressed(strict, page, "Restore") == f"http://testserver{page}"
    conversation.refresh_from_db()
    assert conversation.active_session == lost
    entry = conversation.active_entry
    assert (entry.action, entry.trigger, entry.actor_id) == ("restore_session", "admin", olga.pk)
    assert entry.told["address"] == "127.0.0.1"
    told = said(strict)
    assert (
        "In team:general session 1 with 2 messages is active now; session 2 with 0 messages was archived."
        in told
    )


def test_undo_stands_beside_what_was_done_and_takes_it_back(
    strict: Client, conversation: Conversation, lost: Session
) -> None:
    pressed(strict, reverse(SESSIONS) + "?state=archived", "Restore")
    html = strict.get(reverse("admin:recovery")).content.decode()
    form = re.search(r'<form class="hf-undo" method="post" action="([^"]+)">.*?value="([^"]+)"', html)
    assert form
    assert strict.post(form[1], {"csrfmiddlewaretoken": form[2]}).status_code == 302
    conversation.refresh_from_db()
    assert conversation.active_session.number == 2
    assert (conversation.active_entry.action, conversation.active_entry.trigger) == ("undo", "admin")
    assert "hf-undo" in strict.get(reverse("admin:recovery")).content.decode()
    assert "hf-undo" not in strict.get(reverse("admin:recovery")).content.decode()


def test_a_checkpoint_is_restored_by_one_press_in_its_row(
    strict: Client, conversation: Conversation, lost: Session
) -> None:
    pressed(strict, reverse(CHECKPOINTS), "Restore")
    conversation.refresh_from_db()
    active = conversation.active_session
    assert (active.parent, active.message_count) == (lost, 2)
    assert active.base_digest == Checkpoint.objects.get(session=lost).digest


def test_twice_gives_a_sentence_and_no_second_move(operator: Client, lost: Session) -> None:
    address = reverse("admin:restore_session", args=[lost.public_id])
    moves = AuditEntry.objects.pointer_moves().count()
    for _ in range(2):
        assert operator.post(address).status_code == 302
    assert AuditEntry.objects.pointer_moves().count() == moves + 1
    assert "This session is the active one already" in said(operator)


def test_an_undo_that_came_too_late_is_refused(
    operator: Client, conversation: Conversation, lost: Session
) -> None:
    entry = conversation.active_entry
    operator.post(reverse("admin:restore_session", args=[lost.public_id]))
    operator.post(reverse("admin:undo", args=[entry.pk]))
    assert "can no longer be undone" in said(operator)


def test_a_deleted_conversation_comes_back(strict: Client, conversation: Conversation, alice: User) -> None:
    delete_conversation(conversation, by=alice, origin=PAGE)
    pressed(strict, reverse("admin:sessions_app_conversation_changelist") + "?state=deleted", "Restore")
    conversation.refresh_from_db()
    assert not conversation.is_deleted
    assert AuditEntry.objects.get(action="undelete").trigger == "admin"


def test_without_the_token_nothing_is_done(strict: Client, conversation: Conversation, lost: Session) -> None:
    assert strict.post(reverse("admin:restore_session", args=[lost.public_id])).status_code == 403
    assert conversation.active_session.number == 2


def test_a_look_moves_nothing(operator: Client, conversation: Conversation, lost: Session) -> None:
    for name, thing in (("restore_session", lost.public_id), ("undo", conversation.active_entry_id)):
        assert operator.get(reverse(f"admin:{name}", args=[thing])).status_code == 405


def test_people_are_sent_back_to_our_own_pages_only(operator: Client, lost: Session) -> None:
    address = reverse("admin:restore_session", args=[lost.public_id])
    answer = operator.post(address, headers={"Referer": "https://evil.example/"})
    assert answer["Location"] == reverse("admin:recovery")


def test_nobody_but_operators(
    client: Client, conversation: Conversation, lost: Session, alice: User, sam: User
) -> None:
    checkpoint = Checkpoint.objects.get(session=lost)
    addresses = [
        reverse("admin:restore_session", args=[lost.public_id]),
        reverse("admin:restore_checkpoint", args=[checkpoint.public_id]),
        reverse("admin:undo", args=[conversation.active_entry_id]),
        reverse("admin:undelete", args=[conversation.public_id]),
        reverse("admin:reset", args=[conversation.public_id]),
    ]
    entries = AuditEntry.objects.count()
    for person in (alice, sam, None):
        if person:
            client.force_login(person)
        else:
            client.logout()
        for address in addresses:
            assert client.post(address).status_code in (302, 403)
    assert AuditEntry.objects.count() == entries
