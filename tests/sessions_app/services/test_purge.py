from __future__ import annotations

from collections.abc import Callable

import pytest

from sessions_app.errors import ConfirmationMismatch, NotAllowed, NotFound
from sessions_app.models import (
    AuditEntry,
    Checkpoint,
    Conversation,
    Grant,
    Instance,
    Message,
    Openness,
    PurgePermit,
    Role,
    Session,
    SessionEvent,
    Turn,
    User,
    Workspace,
)
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import record_compaction
from sessions_app.services.conversations import pin_conversation, rename_conversation, start_conversation
from sessions_app.services.ending import stop_turn
from sessions_app.services.fork import fork_before
from sessions_app.services.instance import count_events
from sessions_app.services.purge import purge_conversation, what_goes
from sessions_app.services.requeue import regenerate_reply
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint, restore_session
from sessions_app.services.sharing import change_openness
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.conftest import Exchange, Say, member_of


def test_nothing_is_left_but_the_audit(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    pin_conversation(conversation, by=alice, pinned=True)
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=origin)
    goes = what_goes(conversation)
    entry = purge_conversation(
        conversation, by=alice, confirmation="team:general", origin=origin, reason="law"
    )
    for model in (Conversation, Session, SessionEvent, Message, Turn, Checkpoint, PurgePermit):
        assert not model.objects.exists()
    assert AuditEntry.objects.count() == 3
    assert entry.told["goes"] == {
        "sessions": 2, "messages": 2, "events": goes.events, "checkpoints": 1,
    }  # fmt: skip
    assert entry.told["reason"] == "law"


def test_a_private_one_leaves_neither_its_title_nor_who_was_named(
    team: Workspace, conversation: Conversation, alice: User, mia: User, origin: Origin
) -> None:
    change_openness(conversation, by=alice, openness=Openness.PRIVATE)
    other = member_of(team, "olaf", Role.OWNER)
    with pytest.raises(NotAllowed):
        purge_conversation(conversation, by=other, confirmation="team:general", origin=origin)
    entry = purge_conversation(conversation, by=alice, confirmation="team:general", origin=origin)
    assert entry.told["title"] == ""
    assert not Grant.objects.exists()
    assert AuditEntry.objects.visible_to(other).filter(pk=entry.pk).exists()
    assert not AuditEntry.objects.visible_to(mia).filter(pk=entry.pk).exists()


def test_other_conversations_stay(
    team: Workspace, conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    other = start_conversation(team, by=alice, key="other")
    post_message(other, by=alice, text="stay", client_id="s")
    purge_conversation(conversation, by=alice, confirmation="team:general", origin=origin)
    assert Message.objects.get().conversation == other


def test_the_count_of_written_events_does_not_go_down(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    instance = Instance.objects.get_or_create(pk=1)[0]
    exchange()
    before = count_events(instance)
    purge_conversation(conversation, by=alice, confirmation="team:general", origin=origin)
    instance.refresh_from_db()
    assert count_events(instance) == before > 0


def test_without_the_typed_key_nothing_goes(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    with pytest.raises(ConfirmationMismatch):
        purge_conversation(conversation, by=alice, confirmation="General", origin=origin)
    assert Message.objects.count() == 2


def test_only_an_owner_may(
    conversation: Conversation, mia: User, vera: User, bob: User, origin: Origin
) -> None:
    operator = User.objects.create_superuser("root", password="x")
    for person in (mia, vera, bob, operator):
        with pytest.raises(NotAllowed):
            purge_conversation(conversation, by=person, confirmation="team:general", origin=origin)
    assert Conversation.objects.exists()


def test_who_comes_too_late_finds_nothing_and_nothing_breaks(
    conversation: Conversation, alice: User, exchange: Exchange, say: Say, origin: Origin
) -> None:
    """Each holds rows that it read before the purge, as a door does."""
    exchange()
    say("waits")
    take_checkpoint(conversation, by=alice, name="here")
    session, checkpoint = Session.objects.get(), Checkpoint.objects.get()
    reply, turn = Message.objects.get(role="agent"), Turn.objects.get(state="queued")
    purge_conversation(conversation, by=alice, confirmation="team:general", origin=origin)
    late: list[Callable[[], object]] = [
        lambda: post_message(conversation, by=alice, text="late", client_id="l"),
        lambda: rename_conversation(conversation, by=alice, title="Late"),
        lambda: pin_conversation(conversation, by=alice, pinned=True),
        lambda: reset_conversation(conversation, by=alice, expected_session=session, origin=origin),
        lambda: restore_session(session, by=alice, origin=origin),
        lambda: restore_checkpoint(checkpoint, by=alice, origin=origin),
        lambda: fork_before(reply, by=alice, origin=origin),
        lambda: regenerate_reply(reply, by=alice),
        lambda: record_compaction(session, summary="late", by=None),
        lambda: claim_turn(turn, owner="late"),
        lambda: stop_turn(turn, by=alice),
        lambda: purge_conversation(conversation, by=alice, confirmation="team:general", origin=origin),
    ]
    for act in late:
        with pytest.raises(NotFound):
            act()
    assert not Conversation.objects.exists()
