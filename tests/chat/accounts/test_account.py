"""The page of one's own account: name, addresses and password, and who is told of a change."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from sessions_app.models import User
from tests.chat.accounts.conftest import PASSWORD, Told, is_in, link_in, sign_in


def page_of(client: Client) -> str:
    return client.get("/account/").content.decode()


def test_it_is_reached_from_the_page_and_tells_what_there_is(inside: Client) -> None:
    assert 'href="/account/"' in inside.get("/").content.decode()
    page = page_of(inside)
    for word in ("alice@example.org", "not confirmed", "Change the password", "Authenticator", "Passkeys"):
        assert word in page


def test_a_name_is_saved_and_shown_in_one_line(inside: Client, alice: User) -> None:
    assert inside.post("/account/name/", {"name": "  Alice\n von  Tang\x00 "})["Location"] == "/account/"
    alice.refresh_from_db()
    assert alice.name.startswith("Alice von Tang")
    assert "\n" not in alice.name
    assert "\x00" not in alice.name
    assert "Your name is saved." in page_of(inside)


def test_a_name_that_is_too_long_is_refused_and_kept_in_the_form(inside: Client, alice: User) -> None:
    answer = inside.post("/account/name/", {"name": "x" * 101})
    assert answer.status_code == 400
    assert "at most 100 characters; nothing was changed." in answer.content.decode()
    assert "x" * 101 in answer.content.decode()
    alice.refresh_from_db()
    assert alice.display_name == ""


def test_a_name_is_text(inside: Client) -> None:
    inside.post("/account/name/", {"name": "<img src=x onerror=alert(1)>"})
    assert "<img src=x" not in page_of(inside)


def test_an_address_is_added_confirmed_made_the_first_and_removed(inside: Client, told: Told) -> None:
    inside.post("/account/email/", {"action_add": "1", "email": "other@example.org"})
    inside.post(link_in(str(mail.outbox[-1].body), "/account/email/"))
    inside.post("/account/email/", {"action_primary": "1", "email": "other@example.org"})
    inside.post("/account/email/", {"action_remove": "1", "email": "alice@example.org"})
    assert [(row.email, row.verified) for row in EmailAddress.objects.all()] == [("other@example.org", True)]
    kinds = [kind for (kind,) in told("action") if kind.startswith("email")]
    assert kinds == ["email_added", "email_confirmed", "email_changed", "email_removed"]
    client = Client()
    sign_in(client, "other@example.org")
    assert is_in(client)


def test_an_address_is_changed_by_who_proves_who_they_are(alice: User) -> None:
    client = Client()
    sign_in(client)
    answer = client.post("/account/email/", {"action_add": "1", "email": "other@example.org"})
    assert answer["Location"].startswith("/account/proof/password/")
    assert not EmailAddress.objects.filter(email="other@example.org").exists()


def test_the_address_of_somebody_else_is_never_confirmed_twice(inside: Client, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@example.com", verified=True, primary=True)
    inside.post("/account/email/", {"action_add": "1", "email": "bob@example.com"})
    link = link_in(str(mail.outbox[-1].body), "/account/email/")
    assert "Nothing was changed" in inside.get(link).content.decode()
    inside.post(link)
    assert EmailAddress.objects.get(email="bob@example.com", verified=True).user == bob


def test_a_changed_password_is_told_by_mail_without_a_link(inside: Client) -> None:
    EmailAddress.objects.filter(email="alice@example.org").update(primary=True)
    new = {"oldpassword": PASSWORD, "password1": "a quiet bay", "password2": "a quiet bay"}
    inside.post("/password/", new)
    body = str(mail.outbox[-1].body)
    assert "the password was changed" in body
    assert "192.0.2.1" in body
    assert "http" not in body
    assert "Firefox" not in body


def test_guessing_the_present_password_comes_to_an_end(inside: Client) -> None:
    wrong = {"oldpassword": "x", "password1": "a quiet bay", "password2": "a quiet bay"}
    codes = [inside.post("/password/", wrong).status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]


@pytest.mark.parametrize(
    "path",
    [
        "/account/",
        "/account/email/",
        "/password/",
        "/account/second-factor/authenticator/",
        "/account/second-factor/passkeys/new/",
    ],
)
def test_the_pages_need_nothing_that_their_policy_forbids(inside: Client, path: str) -> None:
    page = inside.get(path).content.decode()
    assert " style=" not in page
    assert "<style" not in page
    assert "data:image" not in page
    assert "https://" not in page


def test_the_admin_changes_ones_own_password_on_the_same_page(inside: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert inside.get("/admin/password_change/")["Location"] == "/password/"
