"""The second factor: asked for at the door, counted when wrong, and of no use twice."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.test import Client

from chat.accounts.lock_out import TRIES_OF_CODES
from sessions_app.models import User
from tests.chat.accounts.codes import STEP_SECONDS, add_authenticator, code_of, recovery_codes
from tests.chat.accounts.conftest import PASSWORD, Told, is_in, sign_in

CODE = "/login/code/"
PAGE = "/account/second-factor/authenticator/"


@pytest.fixture
def alice(fresh_database: None) -> User:
    """What is told after a commit needs one."""
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.fixture
def secret(inside: Client) -> str:
    return add_authenticator(inside)


def away() -> Client:
    return Client(REMOTE_ADDR="192.0.2.9")


def test_the_password_alone_is_not_enough_then(secret: str) -> None:
    client = away()
    assert sign_in(client)["Location"] == CODE
    assert not is_in(client)
    assert client.get("/account/").status_code == 302
    assert client.post(CODE, {"code": code_of(secret, steps_ahead=1)})["Location"] == "/"
    assert is_in(client)


def test_operators_are_asked_for_it_on_their_way_to_the_admin(secret: str) -> None:
    User.objects.filter(username="alice").update(is_staff=True)
    client = away()
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/login/?next=/admin/"
    assert sign_in(client, next="/admin/")["Location"] == CODE
    assert client.get("/admin/").status_code == 302
    assert client.post(CODE, {"code": code_of(secret, steps_ahead=1)})["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_a_code_counts_once(secret: str) -> None:
    code = code_of(secret, steps_ahead=1)
    for client, counts in ((away(), True), (away(), False)):
        sign_in(client)
        client.post(CODE, {"code": code})
        assert is_in(client) is counts


def test_a_code_counts_once_on_another_process_too(secret: str) -> None:
    code = code_of(secret, steps_ahead=1)
    for client, counts in ((away(), True), (away(), False)):
        sign_in(client)
        client.post(CODE, {"code": code})
        assert is_in(client) is counts
        cache.clear()  # another process remembers nothing of it


def test_wrong_codes_lock_out_and_the_right_one_is_refused_then(secret: str, told: Told) -> None:
    client = away()
    sign_in(client)
    for _ in range(TRIES_OF_CODES):
        assert "This code is not right" in client.post(CODE, {"code": "000000"}).content.decode()
    page = client.post(CODE, {"code": code_of(secret, steps_ahead=1)}).content.decode()
    assert "Too many failed attempts" in page
    assert not is_in(client)
    assert told("action", "about")[-6:] == [("code_refused", "alice")] * 5 + [("locked_out", "alice")]


def test_wrong_codes_from_many_addresses_lock_out_too(secret: str) -> None:
    for number in range(TRIES_OF_CODES):
        client = Client(REMOTE_ADDR=f"192.0.2.{20 + number}")
        sign_in(client)
        client.post(CODE, {"code": "000000"})
    client = away()
    sign_in(client)
    client.post(CODE, {"code": code_of(secret, steps_ahead=1)})
    assert not is_in(client)


def test_a_recovery_code_lets_in_once(secret: str, inside: Client, told: Told) -> None:
    codes = recovery_codes(inside)
    assert len(codes) == 10
    for client, counts in ((away(), True), (away(), False)):
        sign_in(client)
        client.post(CODE, {"code": codes[0]})
        assert is_in(client) is counts
    assert ("recovery_code_used", "alice") in told("action", "actor_name")
    assert "9 left" in inside.get("/account/").content.decode()


def test_recovery_codes_are_shown_once(secret: str, inside: Client) -> None:
    assert recovery_codes(inside)
    assert recovery_codes(inside) == []


def test_new_recovery_codes_take_the_place_of_the_old(secret: str, inside: Client, told: Told) -> None:
    old = recovery_codes(inside)
    inside.post("/account/second-factor/recovery-codes/new/")
    new = recovery_codes(inside)
    assert len(new) == 10
    assert not set(old) & set(new)
    client = away()
    sign_in(client)
    client.post(CODE, {"code": old[0]})
    assert not is_in(client)
    assert ("recovery_codes_made", "recovery codes") in told("action", "about")


def test_a_wrong_code_adds_no_authenticator(inside: Client) -> None:
    inside.get(PAGE)
    assert "This code is not right" in inside.post(PAGE, {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


def test_it_is_added_and_removed_on_the_record_and_by_mail(secret: str, inside: Client, told: Told) -> None:
    inside.post("/account/second-factor/authenticator/removal/")
    entries = [entry for entry in told("action", "about") if entry[0].startswith("second_factor")]
    assert entries == [
        ("second_factor_added", "authenticator"),
        ("second_factor_added", "recovery codes"),
        ("second_factor_removed", "authenticator"),
        ("second_factor_removed", "recovery codes"),
    ]
    assert "an authenticator was added" in str(mail.outbox[0].body)
    client = away()
    sign_in(client)
    assert is_in(client)


def test_what_changes_it_asks_who_it_is(alice: User) -> None:
    client = away()
    sign_in(client)
    assert client.get(PAGE)["Location"] == f"/account/proof/password/?next={PAGE.replace('/', '%2F')}"
    wrong = client.post("/account/proof/password/", {"password": "wrong", "next": PAGE})
    assert "This is not your password" in wrong.content.decode()
    right = client.post("/account/proof/password/", {"password": PASSWORD, "next": PAGE})
    assert right["Location"] == PAGE


def test_proving_who_one_is_again_is_locked_out_like_signing_in(alice: User) -> None:
    client = away()
    sign_in(client)
    for _ in range(5):
        client.post("/account/proof/password/", {"password": "wrong"})
    page = client.post("/account/proof/password/", {"password": PASSWORD}).content.decode()
    assert "Too many failed attempts" in page


def test_a_code_of_it_proves_who_one_is_too(secret: str) -> None:
    client = away()
    sign_in(client)
    client.post(CODE, {"code": code_of(secret)})
    sent = {"code": code_of(secret, steps_ahead=1), "next": "/account/"}
    assert client.post("/account/proof/code/", sent)["Location"] == "/account/"
    assert client.get("/account/second-factor/recovery-codes/new/").status_code == 200


def test_the_picture_is_drawn_without_styles_and_holds_the_key(inside: Client) -> None:
    page = inside.get(PAGE).content.decode()
    assert '<svg class="qr"' in page
    assert not re.search(r"style=|data:|<script(?![^>]*\bsrc=)", page)


def test_what_is_kept_of_it_is_encrypted(secret: str) -> None:
    assert secret not in str(list(Authenticator.objects.values_list("data", flat=True)))


def test_a_link_to_a_new_password_does_not_pass_it(secret: str, alice: User) -> None:
    client = away()
    client.post("/password/forgotten/", {"email": "alice@example.org"})
    link = re.search(r"http://testserver(/password/\S+)", str(mail.outbox[-1].body))
    assert link
    form = client.get(link[1], follow=True).redirect_chain[-1][0]
    new = "a quiet bay at noon"
    assert client.post(form, {"password1": new, "password2": new})["Location"] == CODE
    assert not is_in(client)


def test_the_codes_of_the_tests_are_those_of_the_standard() -> None:
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # of RFC 6238, appendix B
    steps = 59 // STEP_SECONDS - int(time.time()) // STEP_SECONDS
    assert code_of(secret, steps_ahead=steps) == "287082"
