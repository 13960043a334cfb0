"""Invitations on the page: shown once, sent by mail, listed, revoked, and nobody else's business."""

from __future__ import annotations

import re
import smtplib
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from sessions_app.models import Invitation, User, Workspace
from sessions_app.services.invitations import invite
from tests.chat.recovery.cast import alice, conversation, olga

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

__all__ = ["alice", "conversation", "olga"]

PAGE = "/workspaces/demo/invitations/"
WISH = {"role": "member", "days": "7", "whom": "anybody", "email": ""}


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def make(client: Client, **other: str) -> TestResponse:
    return client.post(PAGE, {**WISH, **other})


def shown_link(page: str) -> str:
    found = re.search(r"<pre[^>]*>(http://testserver/invitations/[\w-]{32}/)</pre>", page)
    assert found is not None
    return found[1]


def test_a_link_is_shown_once_and_listed_without_it(browser: Client) -> None:
    answered = make(browser, whom="one", role="viewer", days="1")
    link = shown_link(answered.content.decode())
    assert "no-store" in answered["Cache-Control"]
    row = Invitation.objects.get()
    assert (row.role, row.most_uses, (row.expires_at - row.invited_at).days) == ("viewer", 1, 1)
    listed = browser.get(PAGE).content.decode()
    assert link not in listed
    for words in ("Link for one person", "viewer", "by <bdi>Alice</bdi>", "used 0 times of 1"):
        assert words in listed
    assert mail.outbox == []


def test_one_with_an_address_is_sent_there(browser: Client) -> None:
    link = shown_link(make(browser, email="ben@example.org").content.decode())
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ben@example.org"], "Alice invites you to Demo team")
    assert link in sent.body
    assert sent.content_subtype == "plain"
    assert "ben@example.org" in browser.get(PAGE).content.decode()


HOSTILE = "Prize\r\nBcc: x@evil.example https://evil.example/win\u202e\x00"


def test_a_hostile_name_adds_no_header_and_no_link_to_the_mail(browser: Client, alice: User) -> None:
    Workspace.objects.update(name=HOSTILE)
    User.objects.filter(pk=alice.pk).update(display_name=HOSTILE)
    link = shown_link(make(browser, email="ben@example.org").content.decode())
    [sent] = mail.outbox
    assert sent.recipients() == ["ben@example.org"]
    assert "Bcc" not in sent.message()
    subject, body = str(sent.subject), str(sent.body)
    assert "\n" not in subject
    assert re.findall(r"https?://\S+", body) == [link]
    assert not re.search(r"@|\w\.example|\u202e|\x00", subject + body)


def test_a_mail_server_that_is_away_breaks_nothing(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> int:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(EmailBackend, "send_messages", away)
    page = make(browser, email="ben@example.org").content.decode()
    assert "The mail could not be sent" in page
    assert shown_link(page)


def test_a_revoked_one_leaves_the_list(browser: Client) -> None:
    make(browser)
    address = reverse("invitation_revocations", args=["demo", Invitation.objects.get().public_id])
    for _ in range(2):
        assert browser.post(address).headers["Location"] == PAGE
    assert "No invitation is pending." in browser.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"role": "owner"}, "invited as admin, member, viewer"),
        ({"role": "emperor"}, "Choose what they become"),
        ({"days": "soon"}, "Choose for how many days"),
        ({"days": "31"}, "1 to 30 days"),
        ({"whom": "everybody"}, "for one person or for anybody"),
        ({"email": "nobody"}, "no e-mail address"),
        ({"email": "a@b.example\nBcc: c@d.example"}, "no e-mail address"),
    ],
)
def test_nonsense_is_refused_and_what_was_chosen_stays(
    browser: Client, other: dict[str, str], sentence: str
) -> None:
    answered = make(browser, **{"role": "viewer", **other})
    page = answered.content.decode()
    assert (answered.status_code, sentence in page) == (400, True)
    assert ('<option value="viewer" selected>' in page) == ("role" not in other)
    assert (Invitation.objects.count(), mail.outbox) == (0, [])


def test_members_neither_see_nor_make_nor_revoke_any(client: Client, alice: User) -> None:
    row, _ = invite(Workspace.objects.get(), by=alice, email="ben@example.org")
    revocation = reverse("invitation_revocations", args=["demo", row.public_id])
    for name in ("mia", "vera"):
        client.force_login(User.objects.get(username=name))
        assert "ben@example.org" not in client.get(PAGE).content.decode()
        assert {make(client).status_code, client.post(revocation).status_code} == {403}
    row.refresh_from_db()
    assert (row.is_revoked, Invitation.objects.count(), mail.outbox) == (False, 1, [])


def test_an_invitation_of_another_team_is_not_found(browser: Client) -> None:
    row, _ = invite(Workspace.objects.create(name="Reef", slug="reef"), by=None)
    assert browser.post(reverse("invitation_revocations", args=["demo", row.public_id])).status_code == 404


def test_a_forged_request_makes_and_revokes_nothing(alice: User) -> None:
    row, _ = invite(Workspace.objects.get(), by=alice)
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(alice)
    revocation = reverse("invitation_revocations", args=["demo", row.public_id])
    assert (make(visitor).status_code, visitor.post(revocation).status_code) == (403, 403)
    assert list(Invitation.objects.values_list("revoked_at", flat=True)) == [None]
