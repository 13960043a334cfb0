"""A played conversation on an installation of its own, and another installation to take it to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sessions_app.models import Agent, Role, User, Workspace
from tests.sessions_app.conftest import member_of
from tests.sessions_app.fresh_database import as_the_sites, new_database, new_folder
from tests.sessions_app.services.transfer.scene import Scene


@pytest.fixture
def scene(fresh_database: None) -> Scene:
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    alice, mia = member_of(team, "alice", Role.OWNER), member_of(team, "mia", Role.MEMBER)
    member_of(team, "vera", Role.VIEWER)
    User.objects.create_user("bob")
    echo = Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
    return Scene(team, alice, mia, echo)


Elsewhere = Callable[[], contextlib.AbstractContextManager[Workspace]]


@pytest.fixture
def elsewhere(migrated: str, tmp_path: Path) -> Elsewhere:
    """Another installation, on which olga owns a workspace and somebody else is called alice."""

    @contextlib.contextmanager
    def switch() -> Iterator[Workspace]:
        folder = new_folder(tmp_path / "elsewhere")
        with new_database(folder, template=migrated) as name, as_the_sites(name):
            team = Workspace.objects.create(name="Reef", slug="reef")
            member_of(team, "olga", Role.OWNER)
            member_of(team, "alice", Role.MEMBER)
            Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
            yield team

    return switch
