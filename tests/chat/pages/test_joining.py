"""Who has an invitation's link sees what it is, signs in and joins; one that is no longer good says so."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sessions_app.models import AuditEntry, Invitation, Membership, User, Workspace
from sessions_app.services.invitations import invite, revoke_invitation
from tests.chat.recovery.cast import alice, conversation, olga

__all__ = ["alice", "conversation", "olga"]

PASSWORD = "a kelp forest at dusk"


@pytest.fixture
def team(alice: User) -> Workspace:
    return Workspace.objects.get(slug="demo")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", password=PASSWORD, email="bob@example.org")


def page_of(team: Workspace, alice: User, **wish: object) -> tuple[str, Invitation]:
    invitation, token = invite(team, by=alice, **wish)  # type: ignore[arg-type]
    return f"/invitations/{token}/", invitation


def form_token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def is_in(team: Workspace, user: User) -> bool:
    return Membership.objects.filter(workspace=team, user=user).exists()


def test_it_says_what_it_is_and_looking_at_it_joins_nothing(
    client: Client, team: Workspace, alice: User, bob: User
) -> None:
    client.force_login(bob)
    path, _ = page_of(team, alice, role="viewer")
    answered = client.get(path)
    page = answered.content.decode()
    for words in ("Demo team", "Alice", "a viewer, who reads", "Join as", "Good until"):
        assert words in page
    assert "no-store" in answered["Cache-Control"]
    assert answered["Referrer-Policy"] == "same-origin"
    assert not is_in(team, bob)


def test_one_button_joins_and_twice_is_once(client: Client, team: Workspace, alice: User, bob: User) -> None:
    client.force_login(bob)
    path, invitation = page_of(team, alice)
    for _ in range(2):
        assert client.post(path).headers["Location"] == "/workspaces/demo/"
    assert client.get(path).headers["Location"] == "/workspaces/demo/"
    invitation.refresh_from_db()
    assert (is_in(team, bob), invitation.uses) == (True, 1)
    entry = AuditEntry.objects.get(action="member_joined")
    assert (entry.trigger, entry.workspace_id, entry.actor_id) == ("page", team.pk, bob.pk)


def test_who_is_not_signed_in_signs_in_and_is_led_back(team: Workspace, alice: User, bob: User) -> None:
    visitor = Client(enforce_csrf_checks=True)
    path, _ = page_of(team, alice)
    page = visitor.get(path).content.decode()
    token = path.split("/")[2]
    assert visitor.session["invitation"] == token
    link = re.search(r'href="(/login/\?next=[^"]+)"', page)
    assert link is not None
    assert token not in link[1]
    form = visitor.get(link[1]).content.decode()
    name = re.search(r'name="(username|login)"', form)
    assert name is not None
    fields = {name[1]: "bob", "password": PASSWORD, "next": "/invitations/"}
    back = visitor.post("/login/", {"csrfmiddlewaretoken": form_token(form), **fields})
    assert back.headers["Location"] == "/invitations/"
    assert visitor.get("/invitations/").headers["Location"] == path
    assert visitor.get("/").headers["Location"] == "/invitations/"
    joining = {"csrfmiddlewaretoken": form_token(visitor.get(path).content.decode())}
    assert visitor.post(path, joining).headers["Location"] == "/workspaces/demo/"
    assert "invitation" not in visitor.session


def test_without_a_login_nobody_joins(client: Client, team: Workspace, alice: User) -> None:
    path, invitation = page_of(team, alice)
    assert client.post(path).headers["Location"].startswith("/login/")
    invitation.refresh_from_db()
    assert invitation.uses == 0
    assert Client().get("/invitations/").headers["Location"] == "/"


@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize("how", ["revoked", "expired", "used already"])
def test_one_that_is_no_longer_good_says_so(
    client: Client, team: Workspace, alice: User, bob: User, how: str, signed_in: bool
) -> None:
    path, invitation = page_of(team, alice, uses=1)
    match how:
        case "revoked":
            revoke_invitation(invitation, by=alice)
        case "expired":
            Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case _:
            Invitation.objects.update(uses=1)
    if signed_in:
        client.force_login(bob)
    for answered in (client.get(path), client.post(path)):
        assert (answered.status_code, how in answered.content.decode()) == (410, True)
    assert "invitation" not in client.session
    assert not is_in(team, bob)


def test_one_for_another_address_says_so(client: Client, team: Workspace, alice: User, bob: User) -> None:
    client.force_login(bob)
    path, _ = page_of(team, alice, email="ben@example.org")
    answered = client.post(path)
    assert (answered.status_code, "another e-mail address" in answered.content.decode()) == (403, True)
    assert not is_in(team, bob)
    path, _ = page_of(team, alice, email="Bob@example.org")
    assert client.post(path).headers["Location"] == "/workspaces/demo/"


@pytest.mark.parametrize("token", ["nothing", "x" * 32, "%00", "é" * 32, "a" * 3000])
def test_a_link_that_nobody_made_is_not_found(client: Client, bob: User, token: str) -> None:
    for _ in range(2):
        answered = client.get(f"/invitations/{token}/")
        assert (answered.status_code, "There is no such invitation." in answered.content.decode()) == (
            404,
            True,
        )
        client.force_login(bob)
    assert client.post(f"/invitations/{token}/").status_code == 404


def test_a_forged_request_joins_nothing(team: Workspace, alice: User, bob: User) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(bob)
    path, _ = page_of(team, alice)
    assert visitor.post(path).status_code == 403
    assert not is_in(team, bob)
