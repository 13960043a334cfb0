"""Where somebody is signed in: a list with devices, and an end for each of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as StoredLogin
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from chat.accounts.login_sessions import device
from sessions_app.models import User
from tests.chat.accounts.conftest import Told, sign_in

PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
)


@pytest.fixture
def phone(alice: User) -> Client:
    client = Client(REMOTE_ADDR="192.0.2.5", headers={"user-agent": PHONE})
    sign_in(client)
    return client


def listed(client: Client) -> str:
    return client.get("/account/").content.decode()


def row_of(client: Client) -> UserSession:
    return UserSession.objects.get(session_key=client.session.session_key)


def test_the_list_tells_device_address_and_which_is_this_one(inside: Client, phone: Client) -> None:
    page = listed(inside)
    assert "Firefox on Linux" in page
    assert "Safari on iPhone" in page
    assert "192.0.2.5" in page
    assert page.index("Firefox on Linux") < page.index("this one") < page.index("Safari on iPhone")


def test_another_device_is_signed_out_alone(inside: Client, phone: Client, told: Told) -> None:
    inside.post(f"/account/sessions/{row_of(phone).pk}/sign-outs/")
    assert phone.get("/account/").status_code == 302
    assert inside.get("/account/").status_code == 200
    assert "Safari on iPhone" not in listed(inside)
    assert told("action", "actor_name", "about")[-1] == ("signed_out_elsewhere", "alice", "Safari on iPhone")


def test_signing_out_this_one_is_signing_out(inside: Client, told: Told) -> None:
    assert inside.post(f"/account/sessions/{row_of(inside).pk}/sign-outs/")["Location"] == "/login/"
    assert inside.get("/account/").status_code == 302
    assert told("action")[-1] == ("signed_out",)


def test_everywhere_is_everywhere(inside: Client, phone: Client, told: Told) -> None:
    assert inside.post("/account/sign-outs/")["Location"] == "/login/"
    assert (inside.get("/account/").status_code, phone.get("/account/").status_code) == (302, 302)
    assert not UserSession.objects.exists()
    assert not StoredLogin.objects.filter(session_key__in=[phone.session.session_key]).exists()
    assert ("signed_out_everywhere",) in told("action")


def test_nobody_ends_what_is_not_theirs(inside: Client, bob: User) -> None:
    client = Client()
    sign_in(client, "bob")
    number = row_of(inside).pk
    for method in ("post", "get"):
        assert getattr(client, method)(f"/account/sessions/{number}/sign-outs/").status_code in (404, 405)
    assert client.post("/account/sessions/999999/sign-outs/").status_code == 404
    assert inside.get("/account/").status_code == 200


def test_without_a_login_there_is_no_list(client: Client, db: None) -> None:
    assert client.get("/account/")["Location"] == "/login/?next=/account/"
    assert client.post("/account/sign-outs/").status_code == 302


def test_a_changed_password_leaves_this_one_alone_in_the_list(inside: Client, phone: Client) -> None:
    new = {"oldpassword": "a kelp forest at dusk", "password1": "a quiet bay", "password2": "a quiet bay"}
    inside.post("/password/", new)
    page = listed(inside)
    assert ("this one" in page, "Safari on iPhone" in page) == (True, False)


def test_use_is_noted_now_and_then(inside: Client) -> None:
    row = row_of(inside)
    long_ago = timezone.now() - timedelta(days=3)
    UserSession.objects.filter(pk=row.pk).update(last_seen_at=long_ago)
    inside.get("/account/")
    row.refresh_from_db()
    assert row.last_seen_at == long_ago  # it was noted a moment ago
    cache.clear()
    inside.get("/account/")
    row.refresh_from_db()
    assert row.last_seen_at > long_ago


def test_what_a_browser_says_of_itself_breaks_nothing(alice: User) -> None:
    client = Client(headers={"user-agent": "<script>alert(1)</script>" * 100})
    sign_in(client)
    page = listed(client)
    assert "an unknown browser" in page
    assert "alert(1)" not in page


@pytest.mark.parametrize(
    ("told_of_itself", "shown"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari on macOS"),
        ("curl/8.5.0", "a script"),
        ("", "an unknown browser"),
    ],
)
def test_devices_have_names_that_people_know(told_of_itself: str, shown: str) -> None:
    assert device(told_of_itself) == shown
