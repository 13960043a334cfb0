from __future__ import annotations

import functools

import pytest

from sessions_app.errors import ConversationArchived, Invalid, KeyReused, NotAllowed, SessionChanged
from sessions_app.models import AuditEntry, Checkpoint, Conversation, Message, Turn, User
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import archive_conversation
from sessions_app.services.history import history
from sessions_app.services.log import read_log
from sessions_app.services.reset import reset_conversation
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.acting import append_texts
from tests.sessions_app.conftest import Exchange, Say


def test_it_archives_the_session_whole_and_makes_a_new_one_active(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    old = conversation.active_session
    entry = reset_conversation(
        conversation, by=alice, expected_session=old, origin=origin, reason="new topic"
    )
    conversation.refresh_from_db()
    old.refresh_from_db()
    assert conversation.active_session.number == 2
    assert conversation.active_entry == entry
    assert old.archived_reason == "new topic"
    assert [message.role for message in history(old)] == ["person", "agent"]
    assert history(conversation.active_session) == []
    assert entry.told["old_session"] == {"id": str(old.public_id), "number": 1, "messages": 2}
    assert Checkpoint.objects.get(session=old).message_count == 2


def test_the_old_log_ends_with_its_successor_and_the_new_one_begins_with_its_predecessor(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    old = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=old, origin=origin, reason="why")
    conversation.refresh_from_db()
    new = conversation.active_session
    last, first = read_log(old, after=0)[-1], read_log(new, after=0)[0]
    assert (last.kind, last.content["successor"]["id"]) == ("archived", str(new.public_id))
    assert (first.kind, first.content["predecessor"]["number"]) == ("made_active", 1)
    assert (first.content["by_name"], first.content["reason"]) == ("alice", "why")


def test_twice_with_one_key_is_once(conversation: Conversation, alice: User, origin: Origin) -> None:
    old = conversation.active_session
    entries = {
        reset_conversation(
            conversation, by=alice, expected_session=old, origin=origin, idempotency_key="confirm-1"
        ).pk
        for _ in range(3)
    }
    assert len(entries) == 1
    assert conversation.sessions.count() == 2


def test_a_repetition_is_answered_even_after_archiving(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    old = conversation.active_session
    again = functools.partial(
        reset_conversation, conversation, by=alice, expected_session=old, origin=origin, idempotency_key="k"
    )
    first = again()
    archive_conversation(conversation, by=alice)
    assert again() == first


@pytest.mark.parametrize("key", ["", "x" * 101, "a\x00b", "\ud800"])
def test_a_key_that_cannot_be_stored_is_refused(
    conversation: Conversation, alice: User, origin: Origin, key: str
) -> None:
    old = conversation.active_session
    with pytest.raises(Invalid, match="idempotency key"):
        reset_conversation(conversation, by=alice, expected_session=old, origin=origin, idempotency_key=key)
    assert conversation.sessions.count() == 1


def test_a_key_used_for_another_session_is_refused(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    old = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=old, origin=origin, idempotency_key="k")
    conversation.refresh_from_db()
    with pytest.raises(KeyReused):
        reset_conversation(
            conversation,
            by=alice,
            expected_session=conversation.active_session,
            origin=origin,
            idempotency_key="k",
        )
    assert conversation.sessions.count() == 2


def test_whoever_looked_at_another_session_is_refused(
    conversation: Conversation, alice: User, mia: User, origin: Origin
) -> None:
    seen_by_both = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=seen_by_both, origin=origin)
    with pytest.raises(SessionChanged):
        reset_conversation(conversation, by=mia, expected_session=seen_by_both, origin=origin)
    assert AuditEntry.objects.filter(action="reset").count() == 1


def test_what_runs_is_stopped_with_its_text_and_what_waits_is_withdrawn(
    conversation: Conversation, alice: User, say: Say, origin: Origin
) -> None:
    running, waiting = say("one").turn, say("two").turn
    assert running is not None
    assert waiting is not None
    lease = claim_turn(running, owner="somebody")
    append_texts(lease, "half an ")
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=origin)
    assert Turn.objects.get(pk=running.pk).state == "stopped"
    assert Turn.objects.get(pk=waiting.pk).state == "withdrawn"
    assert Message.objects.get(pk=lease.message_id).folded["parts"] == [{"kind": "text", "text": "half an "}]
    assert append_texts(lease, "answer").refused == {running.pk}


@pytest.mark.parametrize("name", ["bob", "vera"])
def test_strangers_and_viewers_are_refused(
    conversation: Conversation, bob: User, vera: User, origin: Origin, name: str
) -> None:
    person = {"bob": bob, "vera": vera}[name]
    with pytest.raises(NotAllowed):
        reset_conversation(
            conversation, by=person, expected_session=conversation.active_session, origin=origin
        )
    assert conversation.sessions.count() == 1


def test_an_archived_conversation_is_refused(conversation: Conversation, alice: User, origin: Origin) -> None:
    archive_conversation(conversation, by=alice)
    with pytest.raises(ConversationArchived):
        reset_conversation(
            conversation, by=alice, expected_session=conversation.active_session, origin=origin
        )
