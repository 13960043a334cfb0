"""Signing in at an OpenID provider: what it proves is believed, and no address opens somebody's account."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from pytest_django import Settings

from config.account_rules import OpenidProvider, SignUpRule
from sessions_app.models import User
from tests.chat.accounts.conftest import Told, is_in, prove, sign_in
from tests.chat.accounts.openid_site import CLIENT_ID, CLIENT_SECRET, Provider, running_provider

LEAVE = "/login/elsewhere/with/kelp/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    with running_provider() as running:
        settings.OPENID_PROVIDER = OpenidProvider("kelp", "Kelp", CLIENT_ID, CLIENT_SECRET, running.address)
        app = {
            "provider_id": "kelp",
            "name": "Kelp",
            "client_id": CLIENT_ID,
            "secret": CLIENT_SECRET,
            "settings": {"server_url": running.address},
        }
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
        settings.SIGN_UP = SignUpRule("open")
        settings.MUST_CONFIRM_EMAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
        yield running


def leave(client: Client, query: str = "") -> str:
    """The address that the page sends a browser to."""
    page = client.post(LEAVE + query).content.decode()
    found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', page)
    assert found, page
    return html.unescape(found[1])


def come_back(client: Client, address: str) -> Any:
    there = requests.get(address, allow_redirects=False, timeout=10)
    return client.get(there.headers["Location"].removeprefix("http://testserver"))


def through(client: Client, query: str = "") -> Any:
    return come_back(client, leave(client, query))


def test_somebody_new_comes_in_with_the_name_and_the_address_told_there(
    client: Client, provider: Provider, told: Told
) -> None:
    assert "Continue with Kelp" in client.get("/login/").content.decode()
    assert through(client)["Location"] == "/"
    assert is_in(client)
    mia = User.objects.get()
    assert (mia.username, mia.name, mia.email, mia.has_usable_password()) == (
        "mia",
        "Mia Kelp",
        "mia@example.org",
        False,
    )
    assert told("action", "actor_name", "about") == [
        ("signed_up", "Mia Kelp", ""),
        ("signed_in", "Mia Kelp", "kelp"),
    ]


def test_the_same_person_is_the_same_account_whatever_they_are_called_then(provider: Provider) -> None:
    through(Client())
    provider.person |= {"email": "other@example.org", "preferred_username": "other"}
    client = Client()
    through(client)
    assert is_in(client)
    assert User.objects.count() == 1


@pytest.mark.parametrize("is_confirmed", [True, False, "true", "false"])
def test_an_address_never_opens_an_account_that_is_here(
    client: Client, alice: User, provider: Provider, is_confirmed: object
) -> None:
    provider.person |= {"email": "alice@example.org", "email_verified": is_confirmed}
    through(client)
    assert not is_in(client)
    assert (User.objects.count(), SocialAccount.objects.count()) == (1, 0)


def test_who_is_signed_in_links_their_account_and_comes_in_by_it(
    inside: Client, alice: User, provider: Provider, told: Told
) -> None:
    assert through(inside, "?process=connect")["Location"] == "/account/"
    assert SocialAccount.objects.get().user == alice
    client = Client()
    through(client)
    assert int(client.session["_auth_user_id"]) == alice.pk
    unlink = {"account": SocialAccount.objects.get().pk}
    assert "Confirm an e-mail address" in inside.post("/login/elsewhere/links/", unlink).content.decode()
    EmailAddress.objects.create(user=alice, email="alice@example.org", verified=True, primary=True)
    inside.post("/login/elsewhere/links/", unlink)
    assert not SocialAccount.objects.exists()
    kinds = [kind for (kind,) in told("action")]
    assert "account_linked" in kinds
    assert kinds[-1] == "account_unlinked"


def test_who_has_no_password_keeps_the_one_way_in(client: Client, provider: Provider) -> None:
    through(client)
    page = client.post("/login/elsewhere/links/", {"account": SocialAccount.objects.get().pk})
    assert "Choose a password first" in page.content.decode()
    assert SocialAccount.objects.exists()
    new = {"password1": "a quiet bay at noon", "password2": "a quiet bay at noon"}
    assert client.get("/password/")["Location"] == "/password/first/"
    assert client.post("/password/first/", new)["Location"] == "/account/"
    assert User.objects.get().check_password("a quiet bay at noon")


def test_linking_asks_who_it_is(alice: User, provider: Provider) -> None:
    client = Client()
    sign_in(client)
    assert through(client, "?process=connect")["Location"] == "/account/proof/password/"
    assert not SocialAccount.objects.exists()
    assert prove(client)["Location"] == "/account/"
    assert SocialAccount.objects.get().user == alice


def test_nobody_links_what_somebody_else_has_linked(inside: Client, bob: User, provider: Provider) -> None:
    through(inside, "?process=connect")
    client = Client()
    sign_in(client, "bob")
    prove(client)
    through(client, "?process=connect")
    assert SocialAccount.objects.get().user.username == "alice"


def test_only_by_invitation_somebody_new_stays_outside(
    client: Client, provider: Provider, settings: Settings
) -> None:
    settings.SIGN_UP = SignUpRule("invitation")
    assert "Accounts here are made by invitation" in through(client).content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("email", "is_confirmed", "comes_in"),
    [("mia@example.net", True, True), ("mia@example.net", False, False), ("mia@example.org", True, False)],
)
def test_by_domain_only_a_confirmed_address_lets_in(
    client: Client, provider: Provider, settings: Settings, email: str, is_confirmed: bool, comes_in: bool
) -> None:
    settings.SIGN_UP = SignUpRule("domains", frozenset({"example.net"}))
    provider.person |= {"email": email, "email_verified": is_confirmed}
    through(client)
    assert is_in(client) is comes_in
    assert User.objects.exists() is comes_in


@pytest.mark.parametrize(
    "wrong", ["another key", "another issuer", "another audience", "another person", "too old"]
)
def test_what_is_not_proved_is_not_believed(client: Client, provider: Provider, wrong: str) -> None:
    provider.wrong = {wrong}
    assert "cannot be believed. Nothing was changed" in through(client).content.decode()
    assert not is_in(client)
    assert not User.objects.exists()


def test_a_provider_that_is_down_is_told_of(client: Client, provider: Provider) -> None:
    provider.wrong = {"down"}
    assert "could not be asked" in client.post(LEAVE).content.decode()


def test_who_says_no_there_is_back_as_before(client: Client, provider: Provider) -> None:
    provider.wrong = {"says no"}
    answer = through(client)
    assert "You did not sign in there" in client.get(answer["Location"]).content.decode()
    assert not is_in(client)


def test_an_answer_that_this_browser_did_not_ask_for_is_refused(client: Client, provider: Provider) -> None:
    """Otherwise a link could sign somebody in as somebody else."""
    address = leave(Client())
    assert come_back(client, address).status_code in (401, 200)
    assert not is_in(client)
    assert not User.objects.exists()


def test_a_code_counts_once(client: Client, provider: Provider) -> None:
    address = leave(client)
    there = requests.get(address, allow_redirects=False, timeout=10).headers["Location"]
    path = there.removeprefix("http://testserver")
    client.get(path)
    client.post("/logout/")
    client.get(path)
    assert not is_in(client)


def test_another_provider_is_not_there(client: Client, provider: Provider) -> None:
    for path in ("/login/elsewhere/with/other/", "/login/elsewhere/with/other/back/"):
        assert client.get(path).status_code == 404
        assert client.post(path).status_code == 404


def test_without_the_setting_there_is_none(client: Client) -> None:
    assert "Continue with" not in client.get("/login/").content.decode()
    assert client.post(LEAVE).status_code == 404
