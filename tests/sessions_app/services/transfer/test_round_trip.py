"""Out of one installation, into another and out again: the same bytes."""

from __future__ import annotations

from sessions_app.models import (
    Action,
    Agent,
    AuditEntry,
    Checkpoint,
    CheckpointKind,
    Conversation,
    Trigger,
    User,
)
from sessions_app.services.audit import COMMAND
from sessions_app.services.conversations import rename_conversation
from sessions_app.services.requeue import regenerate_reply
from sessions_app.services.restore import restore_checkpoint, restore_session
from sessions_app.services.search import search
from sessions_app.services.transcript import post_message
from sessions_app.services.transfer.forms import Form
from sessions_app.services.verify import verify
from tests.sessions_app.services.transfer.acting import exported, imported, planned, without_header
from tests.sessions_app.services.transfer.conftest import Elsewhere
from tests.sessions_app.services.transfer.scene import Scene


def test_what_comes_out_elsewhere_is_what_went_in(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.play()
    conversation = scene.delete()
    content, document = exported(conversation), exported(conversation, form=Form.JSON)
    with elsewhere() as team:
        found = imported(document, team)
        assert found.is_new
        again, document_again = exported(found.conversation), exported(found.conversation, form=Form.JSON)
        assert verify().findings == ()
    assert without_header(again) == without_header(content)
    assert without_header(document_again) == without_header(document)
    assert again.splitlines()[0] != content.splitlines()[0]  # the installation's own name


def test_a_second_export_is_the_first_one(scene: Scene) -> None:
    scene.say("hello")
    scene.answer("hello yourself")
    assert exported(scene.fresh()) == exported(scene.fresh())
    entries = AuditEntry.objects.filter(action=Action.EXPORT_CONVERSATION)
    assert [entry.told["format"] for entry in entries] == ["jsonl", "jsonl"]
    assert {entry.told["exported"]["key"] for entry in entries} == {"team:general"}


def test_to_import_again_finds_it_and_changes_nothing(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.play()
    content = exported(scene.fresh())
    with elsewhere() as team:
        first = imported(content, team)
        User.objects.filter(display_name="alice").update(display_name="Alice by another name")
        entries, checkpoints = AuditEntry.objects.count(), Checkpoint.objects.count()
        assert planned(content, team).here == first.conversation
        second = imported(content, team)
        assert not second.is_new
        assert second.conversation == first.conversation
        assert (AuditEntry.objects.count(), Checkpoint.objects.count()) == (entries, checkpoints)
    found = imported(content, scene.team)
    assert not found.is_new
    assert found.conversation == scene.conversation


def test_what_is_imported_is_gone_on_with_like_any_other(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.play()
    content = exported(scene.fresh())
    with elsewhere() as team:
        conversation = imported(content, team).conversation
        olga = User.objects.get(username="olga")
        assert [found.message.conversation for found in search("noon", by=olga).messages] == [conversation]
        restore_session(conversation.sessions.get(number=2), by=olga, origin=COMMAND)
        taken = Checkpoint.objects.get(kind=CheckpointKind.IMPORT)
        restore_checkpoint(taken, by=olga, origin=COMMAND)
        post_message(conversation, by=olga, text="we go on", client_id="here")
        rename_conversation(conversation, by=olga, title="Ours now")
        assert verify().findings == ()


def test_who_is_not_here_comes_as_a_name_alone(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.say("hello")
    reply = scene.answer("hello yourself")
    content = exported(scene.fresh())
    with elsewhere() as team:
        plan = planned(content, team)
        assert (plan.people, plan.agents) == ({}, {})
        conversation = imported(content, team).conversation
        alice, echo = User.objects.get(public_id=scene.alice.public_id), conversation.agent
        assert (alice.name, alice.is_active, alice.has_usable_password()) == ("alice", False, False)
        assert alice.username.startswith("imported-")
        assert echo is not None
        assert (echo.name, echo.is_active, echo.has_key) == ("Echo", False, False)
        assert Agent.objects.get(handle="echo") != echo
        posted = post_message(
            conversation, by=User.objects.get(username="olga"), text="anybody?", client_id="c"
        )
        assert posted.turn is None
    assert regenerate_reply(reply, by=scene.alice).agent == scene.conversation.agent


def test_the_import_is_on_record_and_not_in_the_conversation(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.say("hello")
    scene.answer("hello yourself")
    content, chain = exported(scene.fresh()), AuditEntry.objects.filter(conversation_id__isnull=False).count()
    with elsewhere() as team:
        conversation = imported(content, team).conversation
        own = AuditEntry.objects.filter(conversation_id=conversation.pk)
        assert own.count() == chain
        entry = AuditEntry.objects.get(action=Action.IMPORT_CONVERSATION)
        assert (entry.trigger, entry.told["through"]) == (Trigger.IMPORT, Trigger.COMMAND)
        assert entry.told["imported"]["id"] == str(scene.conversation.public_id)
        taken = Checkpoint.objects.get(kind=CheckpointKind.IMPORT)
        assert taken.session == Conversation.objects.get().active_session
