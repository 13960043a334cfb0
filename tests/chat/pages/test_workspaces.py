"""The pages of one's workspaces: a new one, its name, and who may do that."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from sessions_app.models import Agent, Membership, Role, User, Workspace
from tests.chat.recovery.cast import alice, conversation, olga

__all__ = ["alice", "conversation", "olga"]

PAGE = "/workspaces/"
NAME = "/workspaces/demo/name/"


@pytest.fixture
def bob(client: Client, db: None) -> User:
    bob = User.objects.create_user("bob")
    client.force_login(bob)
    return bob


def test_somebody_without_a_team_is_told_what_to_do(client: Client, bob: User) -> None:
    for path in ("/", PAGE):
        page = client.get(path).content.decode()
        assert "You are not in a team yet" in page
        assert "Make it" in page


def test_who_makes_one_owns_it_and_finds_an_agent_there(client: Client, bob: User) -> None:
    answered = client.post(PAGE, {"name": "Reef"})
    assert answered.headers["Location"] == "/workspaces/reef/"
    place = Membership.objects.get(user=bob)
    assert (place.workspace.name, place.role) == ("Reef", Role.OWNER)
    assert Agent.objects.get(workspace=place.workspace).handle == "demo"
    assert client.get("/workspaces/reef/").status_code == 200
    assert "Reef" in client.get(PAGE).content.decode()


@pytest.mark.parametrize("name", ["", " ", "x" * 101])
def test_a_name_that_cannot_be_used_is_refused_and_kept(client: Client, bob: User, name: str) -> None:
    answered = client.post(PAGE, {"name": name})
    assert (answered.status_code, "1 to 100 characters" in answered.content.decode()) == (400, True)
    assert f'value="{name}"' in answered.content.decode()
    assert not Workspace.objects.exists()


def test_where_only_staff_makes_workspaces_nobody_else_is_offered_it(
    client: Client, bob: User, settings: Settings
) -> None:
    settings.WORKSPACE_CREATION = "staff"
    assert "Make it" not in client.get(PAGE).content.decode()
    answered = client.post(PAGE, {"name": "Reef"})
    assert (answered.status_code, "only its staff" in answered.content.decode()) == (403, True)
    assert not Workspace.objects.exists()


def test_the_sidebar_leads_to_every_workspace_of_ones_own(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post(PAGE, {"name": "<b>Reef"})
    page = client.get("/workspaces/demo/").content.decode()
    for words in (
        'href="/workspaces/breef/"',
        "&lt;b&gt;Reef",
        "New workspace",
        'href="/workspaces/demo/members/"',
    ):
        assert words in page
    assert "<b>Reef" not in page


def test_the_menu_is_fetched_anew_and_names_only_ones_own(client: Client, alice: User, bob: User) -> None:
    client.post(PAGE, {"name": "Reef of bob"})
    client.force_login(alice)
    client.post(PAGE, {"name": "Bay"})
    menu = client.get("/workspaces/demo/workspaces/").content.decode()
    assert ('href="/workspaces/bay/"' in menu, "Reef of bob" in menu) == (True, False)
    assert menu.count("aria-current") == 1


def test_an_owner_renames_it_and_its_address_stays(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.post(NAME, {"name": "Kelp forest"}).headers["Location"] == "/workspaces/demo/settings/"
    assert "Kelp forest" in client.get("/workspaces/demo/settings/").content.decode()
    answered = client.post(NAME, {"name": ""})
    assert (answered.status_code, "1 to 100 characters" in answered.content.decode()) == (400, True)


def test_members_are_not_offered_to_rename_it_and_are_refused(client: Client, alice: User) -> None:
    client.force_login(User.objects.get(username="mia"))
    assert "Save the name" not in client.get("/workspaces/demo/settings/").content.decode()
    assert client.post(NAME, {"name": "Mine"}).status_code == 403
    assert Workspace.objects.get().name == "Demo team"


def test_a_forged_request_makes_nothing(alice: User) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(alice)
    assert (visitor.post(PAGE, {"name": "x"}).status_code, visitor.post(NAME).status_code) == (403, 403)
    assert Workspace.objects.count() == 1
