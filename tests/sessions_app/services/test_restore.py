from __future__ import annotations

import pytest

from sessions_app.errors import AlreadyActive, ConversationArchived, NotAllowed, NothingToUndo, SessionChanged
from sessions_app.models import AuditEntry, Conversation, Session, User
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.conversations import archive_conversation
from sessions_app.services.history import history
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint, restore_session, undo_move
from tests.sessions_app.conftest import Exchange


def texts(session: Session) -> list[str]:
    return [message.folded["parts"][0]["text"] for message in history(session)]


def fresh(conversation: Conversation) -> Conversation:
    return Conversation.objects.get(pk=conversation.pk)


def test_an_archived_session_comes_back_as_it_was(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    old = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=old, origin=origin)
    restore_session(old, by=alice, origin=origin)
    assert fresh(conversation).active_session == old
    exchange("three", "four")
    assert texts(fresh(conversation).active_session) == ["one", "two", "three", "four"]


def test_a_checkpoint_forks_a_session_with_exactly_its_history(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    checkpoint = take_checkpoint(conversation, by=alice, name="good")
    exchange("three", "four")
    restore_checkpoint(checkpoint, by=alice, origin=origin)
    session = fresh(conversation).active_session
    assert texts(session) == ["one", "two"]
    assert (session.message_count, session.base_digest) == (2, checkpoint.digest)
    exchange("five", "six")
    assert texts(session) == ["one", "two", "five", "six"]
    assert texts(checkpoint.session) == ["one", "two", "three", "four"]


def test_an_undo_takes_the_move_back_and_can_be_undone(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    first = conversation.active_session
    entry = reset_conversation(conversation, by=alice, expected_session=first, origin=origin)
    undone = undo_move(conversation, entry=entry, by=alice, origin=origin)
    assert fresh(conversation).active_session == first
    undo_move(conversation, entry=undone, by=alice, origin=origin)
    assert fresh(conversation).active_session.number == 2
    assert AuditEntry.objects.pointer_moves().count() == 4


def test_only_the_newest_move_can_be_undone(conversation: Conversation, alice: User, origin: Origin) -> None:
    first = conversation.active_session
    entry = reset_conversation(conversation, by=alice, expected_session=first, origin=origin)
    restore_session(first, by=alice, origin=origin)
    with pytest.raises(NothingToUndo):
        undo_move(conversation, entry=entry, by=alice, origin=origin)
    start = AuditEntry.objects.get(action="start")
    with pytest.raises(NothingToUndo):
        undo_move(conversation, entry=start, by=alice, origin=origin)


def test_nothing_is_undone_in_an_archived_conversation(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    first = conversation.active_session
    entry = reset_conversation(conversation, by=alice, expected_session=first, origin=origin)
    archive_conversation(conversation, by=alice)
    with pytest.raises(ConversationArchived):
        undo_move(conversation, entry=entry, by=alice, origin=origin)


def test_restoring_the_active_session_is_refused(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    with pytest.raises(AlreadyActive):
        restore_session(conversation.active_session, by=alice, origin=origin)


def test_a_stale_view_and_strangers_are_refused(
    conversation: Conversation, alice: User, bob: User, origin: Origin
) -> None:
    first = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=first, origin=origin)
    with pytest.raises(SessionChanged):
        restore_session(first, by=alice, origin=origin, expected_session=first)
    with pytest.raises(NotAllowed):
        restore_session(first, by=bob, origin=origin)
    assert AuditEntry.objects.pointer_moves().count() == 2


def test_twice_with_one_key_is_once(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    checkpoint = take_checkpoint(conversation, by=alice, name="good")
    for _ in range(3):
        restore_checkpoint(checkpoint, by=alice, origin=origin, idempotency_key="k")
    assert conversation.sessions.count() == 2
