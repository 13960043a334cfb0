"""The page of members offers what its reader may do, and nothing else gets past it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Membership, Role, User, Workspace
from tests.chat.recovery.cast import alice, conversation, olga

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as TestResponse

__all__ = ["alice", "conversation", "olga"]

PAGE = "/workspaces/demo/members/"


@pytest.fixture
def cast(alice: User) -> dict[str, User]:
    ada = User.objects.create_user("ada", display_name="<i>Ada")
    Membership.objects.create(workspace=Workspace.objects.get(), user=ada, role=Role.ADMIN)
    return {user.username: user for user in User.objects.all()}


def seen_by(user: User) -> tuple[Client, str]:
    client = Client()
    client.force_login(user)
    return client, client.get(PAGE).content.decode()


def post(client: Client, name: str, about: User, **fields: str) -> TestResponse:
    return client.post(reverse(name, args=["demo", about.public_id]), fields)


def roles() -> dict[str, str]:
    return dict(Membership.objects.values_list("user__username", "role"))


def row_of(page: str, username: str) -> str:
    found = re.search(rf'<li class="row" data-member="{username}">(.*?)</li>', page, re.DOTALL)
    assert found is not None
    return found[1]


def test_everybody_sees_who_is_there_and_since_when(cast: dict[str, User]) -> None:
    for name in ("alice", "mia", "vera"):
        _, page = seen_by(cast[name])
        for words in ("Alice", "Mia", "&lt;i&gt;Ada", "joined <time"):
            assert words in page


@pytest.mark.parametrize(
    ("reader", "about", "acts"),
    [
        ("alice", "mia", {"Change", "Hand over", "Remove"}),
        ("alice", "alice", {"Change", "Leave"}),
        ("ada", "mia", {"Change", "Remove"}),
        ("ada", "alice", set()),
        ("ada", "ada", {"Change", "Leave"}),
        ("mia", "vera", set()),
        ("mia", "mia", {"Leave"}),
    ],
)
def test_each_is_offered_what_they_may_do(
    cast: dict[str, User], reader: str, about: str, acts: set[str]
) -> None:
    _, page = seen_by(cast[reader])
    row = row_of(page, about)
    assert {act for act in ("Change", "Hand over", "Remove", "Leave") if f">{act}" in row} == acts
    assert ('<option value="owner"' in row) == (reader == "alice" and "Change" in acts)


def test_a_role_is_changed_with_the_origin_on_the_record(cast: dict[str, User]) -> None:
    client, _ = seen_by(cast["alice"])
    for _ in range(2):
        assert post(client, "member_roles", cast["mia"], role="admin").headers["Location"] == PAGE
    assert roles()["mia"] == Role.ADMIN
    entry = AuditEntry.objects.get(action="role_changed")
    assert (entry.trigger, entry.told["address"], entry.told["about"]) == (
        "page",
        "127.0.0.1",
        "mia: member → admin",
    )


@pytest.mark.parametrize("role", ["", "emperor", "\x00"])
def test_a_role_nobody_knows_gets_a_sentence(cast: dict[str, User], role: str) -> None:
    client, _ = seen_by(cast["alice"])
    answered = post(client, "member_roles", cast["mia"], role=role)
    assert (answered.status_code, "Choose a role" in answered.content.decode()) == (400, True)


def test_those_who_manage_people_read_what_happened_lately(cast: dict[str, User]) -> None:
    client, _ = seen_by(cast["alice"])
    post(client, "member_roles", cast["mia"], role="viewer")
    client.post("/workspaces/demo/invitations/", {"role": "viewer", "days": "7", "whom": "one", "email": ""})
    for name in ("alice", "ada"):
        _, page = seen_by(cast[name])
        assert "changed a role: <bdi>mia: member → viewer</bdi> · from 127.0.0.1" in page
        assert "<bdi>Alice</bdi> invited: <bdi>a link as viewer" in page
    _, page = seen_by(cast["mia"])
    assert "changed a role" not in page


def test_the_last_owner_is_told_to_hand_it_over_first(cast: dict[str, User]) -> None:
    client, _ = seen_by(cast["alice"])
    for answered in (
        client.post(reverse("departures", args=["demo"])),
        post(client, "member_roles", cast["alice"], role="member"),
    ):
        assert (answered.status_code, "never without an owner" in answered.content.decode()) == (409, True)
    assert roles()["alice"] == Role.OWNER


def test_a_workspace_is_handed_over_and_left(cast: dict[str, User]) -> None:
    client, _ = seen_by(cast["alice"])
    assert post(client, "handovers", cast["mia"]).headers["Location"] == PAGE
    assert (roles()["mia"], roles()["alice"]) == (Role.OWNER, Role.ADMIN)
    assert post(client, "handovers", cast["alice"]).status_code == 403
    assert client.post(reverse("departures", args=["demo"])).headers["Location"] == "/workspaces/"
    assert "alice" not in roles()
    assert client.get(PAGE).status_code == 404


def test_who_is_removed_finds_nothing_any_more(cast: dict[str, User]) -> None:
    owner, _ = seen_by(cast["alice"])
    mia, _ = seen_by(cast["mia"])
    assert post(owner, "member_removals", cast["mia"]).headers["Location"] == PAGE
    assert mia.get(PAGE).status_code == 404
    assert post(owner, "member_removals", cast["mia"]).status_code == 404
    assert "You are not in a team yet" in mia.get("/").content.decode()


def test_who_may_not_is_refused_and_nothing_changes(cast: dict[str, User]) -> None:
    before = roles()
    for name, about in (("ada", "alice"), ("mia", "vera"), ("vera", "vera")):
        client, _ = seen_by(cast[name])
        statuses = {
            post(client, "member_roles", cast[about], role="owner").status_code,
            post(client, "handovers", cast[about]).status_code,
        }
        assert statuses == {403}, name
        if about != name:
            assert post(client, "member_removals", cast[about]).status_code == 403
    assert roles() == before


def test_a_forged_request_changes_nothing(cast: dict[str, User]) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(cast["alice"])
    assert post(visitor, "member_removals", cast["mia"]).status_code == 403
    assert visitor.post(reverse("departures", args=["demo"])).status_code == 403
    assert "mia" in roles()
