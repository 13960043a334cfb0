from __future__ import annotations

from datetime import timedelta

import pytest

from sessions_app.errors import ConversationArchived, ConversationDeleted, NotAllowed
from sessions_app.models import AuditEntry, Conversation, Message, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.conversation_list import listed_conversations
from sessions_app.services.conversations import archive_conversation, unarchive_conversation
from sessions_app.services.deletion import (
    LISTED_DAYS,
    delete_conversation,
    recently_deleted,
    undelete_conversation,
)
from sessions_app.services.transcript import post_message
from tests.sessions_app.conftest import Exchange


def test_what_is_deleted_is_only_listed_among_the_deleted(
    team: Workspace, conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    delete_conversation(conversation, by=alice, origin=origin, reason="done")
    assert listed_conversations(team, user=alice) == []
    assert listed_conversations(team, user=alice, archived=True) == []
    assert list(recently_deleted(team, user=alice)) == [conversation]
    assert Message.objects.count() == 2
    entry = AuditEntry.objects.get(action="delete")
    assert (entry.told["reason"], entry.told["actor_name"]) == ("done", "alice")


def test_nobody_writes_into_it(conversation: Conversation, alice: User, origin: Origin) -> None:
    delete_conversation(conversation, by=alice, origin=origin)
    with pytest.raises(ConversationArchived):
        post_message(conversation, by=alice, text="still here?", client_id="x")


def test_it_comes_back_to_where_it_was(
    team: Workspace, conversation: Conversation, alice: User, origin: Origin
) -> None:
    delete_conversation(conversation, by=alice, origin=origin)
    undelete_conversation(conversation, by=alice, origin=origin)
    assert listed_conversations(team, user=alice) == [conversation]
    archive_conversation(conversation, by=alice)
    delete_conversation(conversation, by=alice, origin=origin)
    back = undelete_conversation(conversation, by=alice, origin=origin)
    assert (back.is_archived, back.is_deleted) == (True, False)


def test_twice_is_once(conversation: Conversation, alice: User, origin: Origin) -> None:
    for act, name in ((delete_conversation, "delete"), (undelete_conversation, "undelete")):
        for _ in range(2):
            act(conversation, by=alice, origin=origin)
        assert AuditEntry.objects.filter(action=name).count() == 1


def test_after_thirty_days_it_is_no_longer_listed_and_still_there(
    team: Workspace, conversation: Conversation, alice: User, origin: Origin
) -> None:
    deleted = delete_conversation(conversation, by=alice, origin=origin)
    assert deleted.deleted_at is not None
    long_ago = deleted.deleted_at - timedelta(days=LISTED_DAYS, seconds=1)
    Conversation.objects.update(deleted_at=long_ago)
    assert list(recently_deleted(team, user=alice)) == []
    assert Conversation.objects.exists()


def test_taking_it_out_of_the_archive_is_refused(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    delete_conversation(conversation, by=alice, origin=origin)
    with pytest.raises(ConversationDeleted):
        unarchive_conversation(conversation, by=alice)


def test_viewers_and_strangers_delete_nothing_and_strangers_see_nothing(
    team: Workspace, conversation: Conversation, alice: User, vera: User, bob: User, origin: Origin
) -> None:
    for person in (vera, bob):
        with pytest.raises(NotAllowed):
            delete_conversation(conversation, by=person, origin=origin)
    delete_conversation(conversation, by=alice, origin=origin)
    assert list(recently_deleted(team, user=bob)) == []
    for person in (vera, bob):
        with pytest.raises(NotAllowed):
            undelete_conversation(conversation, by=person, origin=origin)
