"""A forgotten password: a link by mail that works once, and an answer that tells nobody who has an account."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from sessions_app.models import User
from tests.chat.accounts.conftest import PASSWORD, Told, is_in, link_in

NEW = "a quiet bay at noon"
CHOSEN = {"password1": NEW, "password2": NEW}


def ask(client: Client, address: str) -> str:
    answer = client.post("/password/forgotten/", {"email": address}, follow=True)
    assert answer.status_code == 200
    return re.sub(r'value="[^"]+"', "", answer.content.decode())


def form_of(client: Client) -> str:
    link = link_in(str(mail.outbox[-1].body), "/password/")
    return str(client.get(link, follow=True).redirect_chain[-1][0])


def test_the_link_of_the_mail_lets_one_choose_and_is_gone_then(
    client: Client, alice: User, told: Told
) -> None:
    ask(client, "alice@example.org")
    assert mail.outbox[-1].to == ["alice@example.org"]
    form = form_of(client)
    assert client.post(form, CHOSEN)["Location"] == "/"
    assert is_in(client)
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert "This link has been used" in Client().get(form, follow=True).content.decode()
    assert told("action", "about") == [
        ("password_reset_asked", "alice"),
        ("password_changed", "by a link"),
        ("signed_in", "password_reset"),
    ]


def test_the_page_answers_the_same_whether_an_account_exists(client: Client, alice: User) -> None:
    assert ask(client, "alice@example.org") == ask(client, "nobody@example.org")
    assert [one.to[0] for one in mail.outbox] == ["alice@example.org", "nobody@example.org"]
    assert "no account has it" in str(mail.outbox[1].body)


def test_what_is_no_address_is_named(client: Client, db: None) -> None:
    assert "Enter a valid email address" in ask(client, "alice\n@example.org")
    assert mail.outbox == []


def test_a_weak_password_is_refused_and_the_link_still_works(client: Client, alice: User) -> None:
    ask(client, "alice@example.org")
    form = form_of(client)
    weak = client.post(form, {"password1": "12345", "password2": "12345"}).content.decode()
    assert "too short" in weak
    assert client.post(form, CHOSEN)["Location"] == "/"


def test_mails_to_one_address_are_few(client: Client, alice: User) -> None:
    for _ in range(5):
        ask(client, "alice@example.org")
    answer = client.post("/password/forgotten/", {"email": "alice@example.org"})
    assert answer.status_code == 429
    assert "That was tried too often" in answer.content.decode()
    assert len(mail.outbox) == 5


def test_a_mail_that_cannot_be_sent_breaks_nothing(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise ConnectionRefusedError("no mail server here")

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    assert "a link is on its way" in ask(client, "alice@example.org")


@pytest.mark.parametrize(
    "name", ["evil.example", "www.evil.example/x", "Bob\r\nBcc: bob@example.com", "<b>x</b>"]
)
def test_no_name_that_people_give_reaches_a_mail(client: Client, alice: User, name: str) -> None:
    User.objects.filter(pk=alice.pk).update(username=name[:150], display_name=name, first_name=name)
    ask(client, "alice@example.org")
    whole = mail.outbox[-1].message().as_string()
    assert "evil" not in whole
    assert "Bcc" not in whole
    assert "<b>" not in whole
    assert not hasattr(mail.outbox[-1], "alternatives") or mail.outbox[-1].alternatives == []


def test_a_foreign_host_makes_no_link(client: Client, alice: User) -> None:
    answer = client.post(
        "/password/forgotten/", {"email": "alice@example.org"}, headers={"host": "evil.example"}
    )
    assert answer.status_code == 400
    assert mail.outbox == []


def test_somebody_deactivated_gets_no_link(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    ask(client, "alice@example.org")
    assert "no account has it" in str(mail.outbox[-1].body)
    assert PASSWORD not in str(mail.outbox[-1].body)
