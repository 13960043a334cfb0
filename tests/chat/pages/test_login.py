"""Logging in and out."""

import re
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from sessions_app.models import User

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

LOGIN = "/login/"


def log_in(visitor: Client, username: str, password: str, **more: str) -> "TestResponse":
    """Fills in the form that the page shows."""
    page = visitor.get(LOGIN).content.decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found
    form = {"csrfmiddlewaretoken": found[1], "username": username, "password": password, **more}
    return visitor.post(LOGIN, form)


def is_logged_in(visitor: Client) -> bool:
    return "_auth_user_id" in visitor.session


@pytest.mark.django_db
def test_a_stranger_is_sent_to_the_login_page_and_back(visitor: Client, alice: User, password: str) -> None:
    sent = visitor.get("/")
    assert (sent.status_code, sent["Location"]) == (302, f"{LOGIN}?next=/")
    assert visitor.get(sent["Location"]).status_code == 200
    back = log_in(visitor, "alice", password, next="/")
    assert (back.status_code, back["Location"]) == (302, "/")
    assert "alice" in visitor.get("/").content.decode()


def test_a_wrong_password_keeps_the_name_and_says_so(visitor: Client, alice: User) -> None:
    response = log_in(visitor, "alice", "hunter2")
    page = response.content.decode()
    assert response.status_code == 200
    assert 'role="alert"' in page
    assert "Please enter a correct username and password." in page
    assert 'value="alice"' in page
    assert "hunter2" not in page
    assert not is_logged_in(visitor)


def test_the_answer_does_not_tell_who_has_an_account(visitor: Client, alice: User) -> None:
    def sentence(name: str) -> list[str]:
        return re.findall(r"<p>(Please.*?)</p>", log_in(visitor, name, "hunter2").content.decode())

    assert sentence("alice") == sentence("bob") != []


def test_a_deactivated_person_stays_outside(visitor: Client, alice: User, password: str) -> None:
    alice.is_active = False
    alice.save(update_fields=["is_active"])
    assert log_in(visitor, "alice", password).status_code == 200
    assert not is_logged_in(visitor)


def test_empty_fields_are_named(visitor: Client, alice: User) -> None:
    page = log_in(visitor, "", "").content.decode()
    assert page.count("This field is required.") == 2
    assert not is_logged_in(visitor)


def test_a_forged_login_is_refused(visitor: Client, alice: User, password: str) -> None:
    response = visitor.post(LOGIN, {"username": "alice", "password": password})
    assert response.status_code == 403
    assert not is_logged_in(visitor)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(visitor: Client, alice: User, password: str, elsewhere: str) -> None:
    assert log_in(visitor, "alice", password, next=elsewhere)["Location"] == reverse("index")


def test_somebody_who_is_in_is_not_asked_again(visitor: Client, alice: User) -> None:
    visitor.force_login(alice)
    response = visitor.get(LOGIN)
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.parametrize("path", [LOGIN, "/admin/login/"])
@pytest.mark.django_db
def test_the_page_allows_no_inline_script_and_no_other_site(visitor: Client, path: str) -> None:
    response = visitor.get(path)
    policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    assert "unsafe" not in str(policy)
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert (
        policy["script-src"] == policy["style-src"] == policy["img-src"] == policy["form-action"] == "'self'"
    )
    assert response["X-Frame-Options"] == "DENY"


@pytest.mark.django_db
def test_the_page_needs_nothing_that_its_policy_forbids(visitor: Client) -> None:
    page = visitor.get(LOGIN).content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?://", page)


@pytest.mark.django_db
def test_every_field_has_a_label(visitor: Client) -> None:
    page = visitor.get(LOGIN).content.decode()
    fields = re.findall(r'<input type="(?:text|password)"[^>]*\bid="([^"]+)"', page)
    assert fields == ["id_username", "id_password"]
    assert re.findall(r'<label for="([^"]+)"', page) == fields


def test_logging_out_ends_the_login_session(visitor: Client, alice: User, password: str) -> None:
    log_in(visitor, "alice", password)
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', visitor.get("/").content.decode())
    assert found
    stolen = visitor.cookies[settings.SESSION_COOKIE_NAME].value
    response = visitor.post("/logout/", {"csrfmiddlewaretoken": found[1]})
    assert (response.status_code, response["Location"]) == (302, LOGIN)
    visitor.cookies[settings.SESSION_COOKIE_NAME] = stolen
    assert visitor.get("/").status_code == 302


def test_a_link_or_a_forged_request_logs_nobody_out(visitor: Client, alice: User) -> None:
    visitor.force_login(alice)
    assert visitor.get("/logout/").status_code == 405
    assert visitor.post("/logout/").status_code == 403
    assert is_logged_in(visitor)
