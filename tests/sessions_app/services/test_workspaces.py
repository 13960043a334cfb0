from __future__ import annotations

import pytest
from pytest_django import Settings

from sessions_app.errors import Invalid, NotAllowed
from sessions_app.models import AuditEntry, Membership, Role, SecurityEvent, User, Workspace
from sessions_app.services import workspaces
from sessions_app.services.access import role_in
from sessions_app.services.audit import Origin
from sessions_app.services.workspaces import create_workspace, rename_workspace


def test_whoever_makes_a_workspace_owns_it(bob: User, origin: Origin) -> None:
    made = create_workspace("  Deep \n Sea ", by=bob, origin=origin)
    assert (made.name, made.slug, role_in(bob, made.pk)) == ("Deep Sea", "deep-sea", Role.OWNER)
    entry = AuditEntry.objects.get(action=SecurityEvent.WORKSPACE_CREATED)
    assert (entry.workspace_id, entry.actor_id, entry.told["about"]) == (made.pk, bob.pk, "Deep Sea")
    assert entry.told["address"] == origin.address


def test_a_name_may_be_used_again_and_its_slug_differs(team: Workspace, bob: User) -> None:
    again = create_workspace("Kelp", by=bob)
    assert again.slug.startswith("kelp-")
    assert again.pk != team.pk


@pytest.mark.parametrize("name", ["海藻", "!!!", "-"])
def test_a_name_without_latin_letters_has_a_slug_too(bob: User, name: str) -> None:
    assert create_workspace(name, by=bob).slug.startswith("team-")


@pytest.mark.parametrize("name", ["", " \n ", "x" * 101])
def test_a_name_that_cannot_be_used_is_refused(bob: User, name: str) -> None:
    with pytest.raises(Invalid, match="1 to 100"):
        create_workspace(name, by=bob)
    assert not Membership.objects.filter(user=bob).exists()


def test_where_only_staff_makes_workspaces_others_are_refused(bob: User, settings: Settings) -> None:
    settings.WORKSPACE_CREATION = "staff"
    with pytest.raises(NotAllowed, match="only its staff"):
        create_workspace("Reef", by=bob)
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    assert create_workspace("Reef", by=bob).slug == "reef"


def test_nobody_owns_more_than_so_many(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspaces, "MOST_OWNED", 1)
    create_workspace("One", by=bob)
    with pytest.raises(Invalid, match="own 1 workspaces already"):
        create_workspace("Two", by=bob)


def test_renaming_keeps_the_slug(team: Workspace, ada: User, origin: Origin) -> None:
    for _ in range(2):
        renamed = rename_workspace(team, by=ada, name="Kelp forest", origin=origin)
        assert (renamed.name, renamed.slug) == ("Kelp forest", "kelp")
    entry = AuditEntry.objects.get(action=SecurityEvent.WORKSPACE_RENAMED)
    assert entry.told["about"] == "Kelp → Kelp forest"


def test_members_and_strangers_rename_nothing(team: Workspace, mia: User, vera: User, bob: User) -> None:
    for person in (mia, vera, bob):
        with pytest.raises(NotAllowed):
            rename_workspace(team, by=person, name="Mine")
    team.refresh_from_db()
    assert team.name == "Kelp"
