"""A history that nobody has tampered with is in order, whatever has happened in it."""

from __future__ import annotations

import pytest

from sessions_app.models import Agent, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.verify import verify
from tests.sessions_app.services.verify_scene import Scene, play, tampered


@pytest.fixture
def scene(team: Workspace, alice: User, echo: Agent) -> Scene:
    return play(team, alice, echo)


def test_an_empty_database_is_in_order(db: None) -> None:
    report = verify()
    assert report.is_clean
    assert set(report.counts.values()) == {0}


def test_everything_that_can_happen_leaves_it_in_order(scene: Scene) -> None:
    report = verify()
    assert report.findings == ()
    assert report.is_clean
    assert report.counts == {
        "conversations": 2,
        "sessions": 4,
        "events": sum(session.last_seq for session in scene.conversation.sessions.all()) + 1,
        "messages": 11,
        "turns": 7,
        "checkpoints": 4,
        "audit entries": 8,
    }


def test_one_workspace_is_read_alone(scene: Scene, team: Workspace, bob: User) -> None:
    elsewhere = Workspace.objects.create(name="Reef", slug="reef")
    start_conversation(elsewhere, by=None, key="team:general")
    with tampered(scene, "UPDATE holdfast_session SET sealed_count = 77 WHERE id = {s2}"):
        assert verify(workspace=elsewhere).is_clean
        assert [finding.check for finding in verify(workspace=team).findings] == ["seal"]
    counts = verify(workspace=elsewhere).counts
    assert (counts["sessions"], counts["events"], counts["audit entries"]) == (1, 1, 1)


def test_it_says_how_far_it_has_come(scene: Scene) -> None:
    told: list[tuple[int, int]] = []
    report = verify(progress=lambda done, total: told.append((done, total)))
    assert told == [(0, report.counts["events"])]


def test_it_keeps_the_first_findings_and_counts_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.services.verify.findings.MOST_KEPT", 1)
    with tampered(scene, "UPDATE holdfast_checkpoint SET message_count = 77"):
        report = verify()
    assert (len(report.findings), report.finding_count) == (1, 4)
