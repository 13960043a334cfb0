"""The two commands: out to a file, and in again elsewhere."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sessions_app.models import AuditEntry, Conversation, Message
from tests.sessions_app.services.transfer.conftest import Elsewhere, elsewhere, scene
from tests.sessions_app.services.transfer.scene import Scene

__all__ = ["elsewhere", "scene"]


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output, stderr=io.StringIO())
    return output.getvalue()


@pytest.fixture
def file(scene: Scene, tmp_path: Path) -> Path:
    scene.say("hello")
    scene.answer("hello yourself")
    run("export_conversation", "team:general", "--to", str(tmp_path / "out.jsonl"))
    return tmp_path / "out.jsonl"


def test_it_only_looks_until_told_to(file: Path, elsewhere: Elsewhere) -> None:
    with elsewhere():
        said = run("import_conversation", str(file), "--workspace", "reef")
        assert "“General” (team:general): 1 session, 2 messages" in said
        assert "alice comes as a name alone, with which nobody can sign in." in said
        assert "Say --yes to import it." in said
        assert not Conversation.objects.exists()
        assert run("import_conversation", str(file), "--workspace", "reef", "--yes") == (
            "team:general was imported.\n"
        )
        assert Message.objects.count() == 2
        again = run("import_conversation", str(file), "--workspace", "reef", "--yes", "--json")
        assert json.loads(again)["is_new"] is False
        plan = json.loads(run("import_conversation", str(file), "--workspace", "reef", "--json"))
        assert (plan["is_here"], plan["counts"]["messages"], plan["people"][0]["is_known"]) == (True, 2, True)


def test_what_goes_to_the_output_is_what_goes_to_a_file(file: Path) -> None:
    assert run("export_conversation", "team:general") == file.read_text(encoding="utf-8")
    assert run("export_conversation", "team:general", "--form", "markdown").startswith("# General\n")
    assert AuditEntry.objects.filter(action="export_conversation", trigger="command").count() == 3


def test_an_existing_file_is_kept(file: Path) -> None:
    with pytest.raises(CommandError, match="exists and is kept"):
        run("export_conversation", "team:general", "--to", str(file))


def test_what_cannot_be_done_is_said(scene: Scene, file: Path, tmp_path: Path) -> None:
    for arguments, words in (
        (("export_conversation", "team:nowhere"), "no conversation"),
        (("import_conversation", str(tmp_path / "none"), "--workspace", "kelp"), "cannot be read"),
        (("import_conversation", str(file), "--workspace", "none"), "no workspace none"),
        (("import_conversation", __file__, "--workspace", "kelp"), "nothing was imported"),
    ):
        with pytest.raises(CommandError, match=words):
            run(*arguments)
    scene.say("a question that waits")
    with pytest.raises(CommandError, match="nothing was exported"):
        run("export_conversation", "team:general")
