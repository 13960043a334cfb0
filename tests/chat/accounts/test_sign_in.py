"""Who failed too often is kept out, and the audit log tells of everybody who tried."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from chat.accounts.lock_out import TRIES_FROM_ONE_ADDRESS, TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS
from sessions_app.models import AuditEntry, User
from sessions_app.services.audit import INSTANCE_CHAIN
from sessions_app.services.audit_check import verify_chains

PASSWORD = "a kelp forest at dusk"


@pytest.fixture
def olga(db: None) -> User:
    return User.objects.create_user("olga", password=PASSWORD, is_staff=True)


def sign_in(client: Client, name: str = "olga", password: str = PASSWORD) -> str:
    answer = client.post("/login/", {"username": name, "password": password}, REMOTE_ADDR="192.0.2.1")
    return answer.content.decode()


def told(*wanted: str) -> list[tuple[str, ...]]:
    entries = AuditEntry.objects.filter(chain=INSTANCE_CHAIN).order_by("number")
    return [
        tuple(str(entry.told.get(name, getattr(entry, name, ""))) for name in wanted) for entry in entries
    ]


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_after_five_failures_the_right_password_is_refused_too(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        assert "Too many failed attempts" not in sign_in(client, password="wrong")
    assert "Too many failed attempts. Wait 5 minutes" in sign_in(client)
    assert not is_in(client)


def test_the_admin_sends_everybody_to_the_one_door_and_takes_nothing_itself(
    client: Client, olga: User
) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1] == ("/login/?next=/admin/", 302)
    client.post("/admin/login/", {"username": "olga", "password": PASSWORD})
    assert not is_in(client)
    sent = {"username": "olga", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/login/", sent)["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_is_in_and_may_not_operate_is_told_so(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("bob"))
    answer = client.get("/admin/", follow=True)
    assert answer.status_code == 403
    assert "You may not do this" in answer.content.decode()


def test_an_e_mail_address_does_as_well_as_the_username(client: Client, olga: User) -> None:
    User.objects.filter(pk=olga.pk).update(email="olga@example.org")
    sign_in(client, name="Olga@Example.org")
    assert is_in(client)
    assert told("action", "actor_name") == [("signed_in", "olga")]


def test_who_fails_by_e_mail_is_locked_out_and_named_by_the_account(client: Client, olga: User) -> None:
    User.objects.filter(pk=olga.pk).update(email="olga@example.org")
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        sign_in(client, name="olga@example.org", password="wrong")
    assert "Too many failed attempts" in sign_in(client, name="olga@example.org")
    assert {about for _, about in told("action", "about")} == {"olga"}


def test_what_a_setting_of_the_address_says_is_who_is_counted(
    client: Client, olga: User, settings: Settings
) -> None:
    settings.CLIENT_ADDRESS_HEADER = "X-Real-IP"
    sent = {"username": "olga", "password": "wrong"}
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        client.post("/login/", sent, headers={"X-Real-IP": "192.0.2.7"})
    kept_out = client.post("/login/", {**sent, "password": PASSWORD}, headers={"X-Real-IP": "192.0.2.7"})
    assert "Too many failed attempts" in kept_out.content.decode()
    client.post("/login/", {**sent, "password": PASSWORD}, headers={"X-Real-IP": "192.0.2.8"})
    assert is_in(client)


def test_another_spelling_of_the_name_is_the_same_name(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        sign_in(client, name="OLGA", password="wrong")
    assert "Too many failed attempts" in sign_in(client)


def test_somebody_at_another_address_is_not_kept_out(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        sign_in(client, password="wrong")
    client.post("/login/", {"username": "olga", "password": PASSWORD}, REMOTE_ADDR="192.0.2.2")
    assert is_in(client)


def test_many_names_from_one_address_are_kept_out(client: Client, olga: User) -> None:
    for number in range(TRIES_FROM_ONE_ADDRESS):
        sign_in(client, name=f"guess-{number}", password="wrong")
    assert "Too many failed attempts" in sign_in(client)


def test_signing_in_forgives_the_failures_before(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS - 1):
        sign_in(client, password="wrong")
    sign_in(client)
    assert is_in(client)
    client.logout()
    assert "Too many failed attempts" not in sign_in(client, password="wrong")


def test_when_the_time_has_passed_the_password_counts_again(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS):
        sign_in(client, password="wrong")
    cache.clear()
    sign_in(client)
    assert is_in(client)


def test_coming_and_going_is_on_the_record(client: Client, olga: User) -> None:
    sign_in(client, password="wrong")
    sign_in(client)
    client.post("/logout/", REMOTE_ADDR="192.0.2.1")
    assert told("action", "actor_name", "about", "address", "trigger") == [
        ("sign_in_failed", "nobody signed in", "olga", "192.0.2.1", "page"),
        ("signed_in", "olga", "", "192.0.2.1", "page"),
        ("signed_out", "olga", "", "192.0.2.1", "page"),
    ]
    assert verify_chains([INSTANCE_CHAIN]).is_sound


def test_a_lock_out_is_recorded_once_and_what_follows_writes_nothing(client: Client, olga: User) -> None:
    for _ in range(TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS + 3):
        sign_in(client, password="wrong")
    assert told("action") == [*[("sign_in_failed",)] * TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS, ("locked_out",)]


def test_a_password_in_the_wrong_field_is_not_kept(client: Client, olga: User) -> None:
    sign_in(client, name=PASSWORD, password="")
    sign_in(client, name=PASSWORD, password="olga")
    assert told("about") == [("a name that nobody has",)]
    assert not AuditEntry.objects.filter(facts__contains=PASSWORD).exists()
