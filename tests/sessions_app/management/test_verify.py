"""`manage.py verify`: sentences for people, a document for machines, and an exit code for both."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from sessions_app.management.reporting import ProgressBar, described
from sessions_app.models import Agent, User, Workspace
from sessions_app.services.verify import Finding, Report
from tests.sessions_app.services.verify_scene import Scene, play, tampered

WRONG = "UPDATE holdfast_session SET sealed_count = 77 WHERE id = {s2}"
SAYS = "the session counts 77 sealed messages, its log 0"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def scene(team: Workspace, alice: User, echo: Agent) -> Scene:
    return play(team, alice, echo)


def told(*words: str) -> str:
    output = StringIO()
    call_command("verify", *words, stdout=output)
    return output.getvalue()


def told_with_exit_1(*words: str) -> str:
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", *words, stdout=output)
    assert ended.value.code == 1
    return output.getvalue()


def test_it_says_what_it_read_and_that_it_is_in_order(scene: Scene) -> None:
    first, last = told().splitlines()
    assert first.startswith("Read 2 conversations, 4 sessions, ")
    assert last == "Everything is in order."


def test_it_lists_what_is_not_and_exits_with_1(scene: Scene) -> None:
    with tampered(scene, WRONG):
        lines = told_with_exit_1().splitlines()
    assert lines[1:] == ["1 thing is not in order:", f"  seal: kelp/team:general session 2: {SAYS}"]


def test_it_speaks_json(scene: Scene) -> None:
    document = json.loads(told("--json"))
    assert document["in_order"] is True
    assert document["counts"]["sessions"] == 4
    with tampered(scene, WRONG):
        document = json.loads(told_with_exit_1("--json"))
    assert (document["in_order"], document["finding_count"]) == (False, 1)
    assert document["findings"] == [{"check": "seal", "where": "kelp/team:general session 2", "says": SAYS}]


def test_it_reads_one_workspace(scene: Scene) -> None:
    Workspace.objects.create(name="Reef", slug="reef")
    with tampered(scene, WRONG):
        assert "Everything is in order." in told("--workspace", "reef")
        assert SAYS in told_with_exit_1("--workspace", "kelp")


def test_an_unknown_workspace_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="There is no workspace called reef"):
        told("--workspace", "reef")


def test_a_long_list_is_cut_with_a_count() -> None:
    findings = tuple(Finding("log", "somewhere", f"event {number} is missing") for number in range(60))
    lines = described(Report(findings, 1234, {"events": 5}, 0.1)).splitlines()
    assert lines[1] == "1,234 things are not in order:"
    assert len(lines) == 53
    assert lines[-1] == "  … and 1,184 more."


def test_the_bar_is_for_people_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, file = Terminal(), StringIO()
    with ProgressBar(terminal) as bar:
        bar.show(1, 10)
        assert terminal.getvalue() == ""
    assert terminal.getvalue() == ""
    monkeypatch.setattr("sessions_app.management.reporting.PATIENCE_SECONDS", 0)
    with ProgressBar(terminal) as bar, ProgressBar(file) as unseen:
        bar.show(1_000, 2_000)
        unseen.show(1_000, 2_000)
        assert " 50%  1,000 of 2,000 events" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert file.getvalue() == ""
