"""Each thing that verify checks is changed once behind the guards' back, and verify says exactly that."""

from __future__ import annotations

import pytest
from django.db import connection

from sessions_app import guards
from sessions_app.models import Agent, User, Workspace
from sessions_app.services.verify import verify
from tests.sessions_app.guards_lifted import lifted_guards
from tests.sessions_app.services.verify_scene import Scene, findings_after, play, tampered
from tests.sessions_app.services.verify_tamperings import TAMPERINGS, Tampering, session


@pytest.fixture
def scene(team: Workspace, alice: User, echo: Agent) -> Scene:
    return play(team, alice, echo)


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda tampering: tampering.name.replace(" ", "-"))
def test_it_is_found(scene: Scene, bob: User, tampering: Tampering) -> None:
    scene.ids["stranger"] = bob.pk
    found = findings_after(scene, *tampering.statements)
    assert {finding.check for finding in found} == tampering.findings.keys(), found
    for check, says in tampering.findings.items():
        assert any(says in finding.says for finding in found if finding.check == check), found


def test_a_missing_guard_is_found(scene: Scene) -> None:
    with tampered(scene):
        name = "hf_event_fixed"
        with connection.cursor() as cursor:
            on_table = " ON holdfast_event" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on_table}")
        [finding] = verify().findings
    assert (finding.check, finding.says) == ("guards", f"guard {name} is missing")


def test_a_finding_says_where_it_is(scene: Scene) -> None:
    [finding] = findings_after(scene, session("head_digest = 'feed'"))
    assert str(finding) == (
        "digest: kelp/team:general session 3: the session's digest is not that of its last sealed message"
    )


def test_the_guards_stand_again_after_tampering(scene: Scene) -> None:
    """Else these tests would pass although the guards hide nothing."""
    with lifted_guards(connection):
        assert guards.differences(connection)
    assert verify().is_clean
