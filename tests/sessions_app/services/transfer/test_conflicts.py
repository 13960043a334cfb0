"""What is refused because of what is here already, and because of who asks."""

from __future__ import annotations

import pytest

from sessions_app.errors import ImportConflict, NotAllowed, NotFound, TurnRunning
from sessions_app.models import Agent, AuditEntry, Conversation, Message, Role, User, Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.conversations import start_conversation
from sessions_app.services.purge import purge_conversation
from sessions_app.services.sharing import change_openness
from tests.sessions_app.conftest import member_of
from tests.sessions_app.services.transfer.acting import exported, imported, planned, without_header
from tests.sessions_app.services.transfer.conftest import Elsewhere
from tests.sessions_app.services.transfer.scene import Scene


@pytest.fixture
def content(scene: Scene) -> bytes:
    scene.say("hello")
    scene.answer("hello yourself")
    return exported(scene.fresh())


def refused(content: bytes, workspace: Workspace, words: str) -> None:
    """Said beforehand, and refused without a row written."""
    before = (Conversation.objects.count(), Message.objects.count(), AuditEntry.objects.count())
    assert words in planned(content, workspace).conflict
    with pytest.raises(ImportConflict, match=words):
        imported(content, workspace)
    assert (Conversation.objects.count(), Message.objects.count(), AuditEntry.objects.count()) == before


def test_a_conversation_that_has_gone_on_is_not_touched(scene: Scene, content: bytes) -> None:
    scene.say("one more")
    refused(content, scene.team, "has become another one")  # a turn of it is live
    scene.answer("and its answer")
    refused(content, scene.team, "has become another one")


def test_a_conversation_that_is_elsewhere_on_this_server_is_not_told_of(scene: Scene, content: bytes) -> None:
    other = Workspace.objects.create(name="Reef", slug="reef")
    refused(content, other, "ids in this file are in use")


def test_a_purged_conversation_does_not_come_back(scene: Scene, content: bytes) -> None:
    purge_conversation(scene.fresh(), by=scene.alice, confirmation="team:general", origin=COMMAND)
    refused(content, scene.team, "deleted for ever")


def test_another_conversation_may_have_the_key(content: bytes, elsewhere: Elsewhere) -> None:
    with elsewhere() as team:
        start_conversation(team, by=None, key="team:general")
        refused(content, team, "has the key team:general")


def test_an_agent_of_another_workspace_does_not_answer_here(
    scene: Scene, content: bytes, elsewhere: Elsewhere
) -> None:
    echo = Agent.objects.get(handle="echo").public_id
    with elsewhere() as team:
        other = Workspace.objects.create(name="Other", slug="other")
        Agent.objects.create(public_id=echo, workspace=other, name="Echo", handle="echo", provider="demo")
        refused(content, team, "works in another workspace")


def test_only_those_who_manage_a_workspace_import_into_it(content: bytes, elsewhere: Elsewhere) -> None:
    with elsewhere() as team:
        member_of(team, "vera", Role.VIEWER)
        User.objects.create_user("bob")
        for name in ("alice", "vera", "bob"):  # a member, a viewer, a stranger
            person = User.objects.get(username=name)
            for act in (planned, imported):
                with pytest.raises(NotAllowed):
                    act(content, team, by=person)
        assert not Conversation.objects.exists()
        assert imported(content, team, by=User.objects.get(username="olga")).is_new


def test_what_is_closed_comes_closed_and_to_whoever_brings_it(scene: Scene, elsewhere: Elsewhere) -> None:
    change_openness(scene.fresh(), by=scene.alice, openness="private")
    content = exported(scene.fresh(), by=scene.alice)
    told = AuditEntry.objects.get(action="export_conversation").told["exported"]
    assert told == {"id": str(scene.conversation.public_id)}
    with pytest.raises(NotAllowed):
        exported(scene.fresh(), by=scene.mia)
    with elsewhere() as team:
        olga = User.objects.get(username="olga")
        second = member_of(team, "otto", Role.OWNER)
        conversation = imported(content, team, by=olga).conversation
        assert Conversation.objects.visible_to(olga).get() == conversation
        assert not Conversation.objects.visible_to(second).exists()
        assert without_header(exported(conversation, by=olga)) == without_header(content)


def test_whoever_may_read_may_export_and_bob_may_not(scene: Scene, content: bytes) -> None:
    assert exported(scene.fresh(), by=User.objects.get(username="vera")) == content
    with pytest.raises((NotAllowed, NotFound)):
        exported(scene.fresh(), by=User.objects.get(username="bob"))


def test_nothing_is_exported_in_the_middle_of_an_answer(scene: Scene) -> None:
    scene.say("hello")
    with pytest.raises(TurnRunning, match="nothing was exported"):
        exported(scene.fresh())
    assert not AuditEntry.objects.filter(action="export_conversation").exists()
