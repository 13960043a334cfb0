"""Who may make an account: nobody without an invitation, unless the site's setting says so."""

from __future__ import annotations

import html
import re

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from config.account_rules import SignUpRule
from sessions_app.models import Membership, Role, User, Workspace
from sessions_app.services.invitations import invite, revoke_invitation
from tests.chat.accounts.conftest import PASSWORD, Told, is_in, link_in, sign_in

FORM = {"username": "mia", "email": "mia@example.org", "password1": PASSWORD, "password2": PASSWORD}

pytestmark = pytest.mark.django_db


def lets(settings: Settings, kind: str, *domains: str) -> None:
    settings.SIGN_UP = SignUpRule(kind, frozenset(domains))
    settings.MUST_CONFIRM_EMAIL = kind != "invitation"
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory" if kind != "invitation" else "optional"


def sign_up(client: Client, **changed: str) -> str:
    return client.post("/sign-up/", {**FORM, **changed}, follow=True).content.decode()


def test_without_an_invitation_nobody_makes_an_account(client: Client) -> None:
    assert "Accounts here are made by invitation" in client.get("/sign-up/").content.decode()
    assert "Accounts here are made by invitation" in sign_up(client)
    assert not User.objects.exists()
    assert "Make an account" not in client.get("/login/").content.decode()


def test_an_invitation_that_nobody_gave_opens_nothing(client: Client) -> None:
    session = client.session
    session["invitation"] = "made-up"
    session.save()
    assert "Accounts here are made by invitation" in sign_up(client)
    assert not User.objects.exists()


def test_who_is_invited_makes_an_account_comes_in_at_once_and_joins(
    client: Client, alice: User, told: Told
) -> None:
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    Membership.objects.create(workspace=team, user=alice, role=Role.OWNER)
    _, token = invite(team, by=alice, email="mia@example.org")
    page = client.get(f"/invitations/{token}/").content.decode()
    found = re.search(r'href="(/sign-up/[^"]+)"', page)
    assert found
    form = client.get(html.unescape(found[1])).content.decode()
    assert 'value="mia@example.org"' in form
    assert "Make an account" in client.get("/login/").content.decode()
    assert client.post("/sign-up/", FORM)["Location"] == "/invitations/"
    assert is_in(client)
    assert client.get("/invitations/")["Location"] == f"/invitations/{token}/"
    assert client.post(f"/invitations/{token}/")["Location"] == "/workspaces/kelp/"
    assert not User.objects.get(username="mia").must_confirm_email
    assert [kind for (kind,) in told("action")][-3:] == ["signed_up", "signed_in", "member_joined"]
    assert "Confirm your address" in mail.outbox[0].subject


def test_a_revoked_invitation_opens_nothing(client: Client, alice: User) -> None:
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    Membership.objects.create(workspace=team, user=alice, role=Role.OWNER)
    invitation, token = invite(team, by=alice)
    client.get(f"/invitations/{token}/")
    revoke_invitation(invitation, by=alice)
    assert "Accounts here are made by invitation" in sign_up(client)
    assert User.objects.count() == 1


def test_where_it_is_open_one_comes_in_once_the_address_is_confirmed(
    client: Client, settings: Settings, told: Told
) -> None:
    lets(settings, "open")
    assert "Make an account" in client.get("/login/").content.decode()
    assert "A link was sent to your address" in sign_up(client)
    assert not is_in(client)
    assert (
        "A link was sent to your address"
        in client.post("/login/", {"username": "mia", "password": PASSWORD}, follow=True).content.decode()
    )
    assert not is_in(client)
    link = link_in(str(mail.outbox[0].body), "/account/email/")
    assert "Is <bdi>mia@example.org</bdi> yours?" in client.get(link).content.decode()
    assert not is_in(client)
    client.post(link)
    assert is_in(client)
    assert told("action", "actor_name", "about") == [
        ("signed_up", "mia", ""),
        ("email_confirmed", "mia", "mia@example.org"),
        ("signed_in", "mia", ""),
    ]


def test_in_another_browser_the_link_confirms_and_lets_nobody_in(client: Client, settings: Settings) -> None:
    lets(settings, "open")
    sign_up(client)
    other = Client()
    link = link_in(str(mail.outbox[0].body), "/account/email/")
    assert other.post(link)["Location"] == "/login/"
    assert not is_in(other)
    sign_in(other, "mia")
    assert is_in(other)
    assert "This link has been used" in Client().get(link).content.decode()


def test_who_was_let_in_by_others_needs_no_confirmed_address(
    client: Client, alice: User, settings: Settings
) -> None:
    lets(settings, "open")
    sign_in(client)
    assert is_in(client)


def test_closing_again_lets_nobody_past_the_confirmation(client: Client, settings: Settings) -> None:
    lets(settings, "open")
    sign_up(client)
    lets(settings, "invitation")
    other = Client()
    sign_in(other, "mia")
    assert not is_in(other)


def test_by_domain_others_are_turned_away(client: Client, settings: Settings) -> None:
    lets(settings, "domains", "example.org", "example.net")
    for address in (
        "mia@example.com",
        "mia@sub.example.org",
        "mia@example.org.evil.example",
        "mia@notexample.org",
    ):
        page = sign_up(client, email=address)
        assert "Accounts here are for addresses of example.net, example.org; nothing was made." in page
    assert not User.objects.exists()
    sign_up(client, email="Mia@Example.ORG")
    assert User.objects.get().must_confirm_email


def test_a_taken_address_is_not_told_and_its_owner_is(
    client: Client, alice: User, settings: Settings
) -> None:
    lets(settings, "open")
    assert "A link was sent to your address" in sign_up(client, email="alice@example.org")
    assert not User.objects.filter(username="mia").exists()
    assert "there is one already" in str(mail.outbox[0].body)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("username", "alice", "A user with that username already exists."),
        ("username", "ALICE", "A user with that username already exists."),
        ("username", "mia@example.org", "A username has no “@”"),
        ("username", "two words", "Enter a valid username."),
        ("password1", "12345678", "This password is too common."),
        ("password2", "another", "You must type the same password each time."),
        ("email", "nonsense", "Enter a valid email address."),
    ],
)
def test_what_cannot_be_is_named(
    client: Client, alice: User, settings: Settings, field: str, value: str, sentence: str
) -> None:
    lets(settings, "open")
    assert sentence in sign_up(client, **{field: value})
    assert User.objects.count() == 1


def test_a_forged_form_makes_nothing(settings: Settings) -> None:
    lets(settings, "open")
    assert Client(enforce_csrf_checks=True).post("/sign-up/", FORM).status_code == 403
    assert not User.objects.exists()
