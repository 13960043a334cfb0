from __future__ import annotations

import pytest

from sessions_app.errors import (
    ClientIdReused,
    ConversationArchived,
    Invalid,
    MessageEmpty,
    NotAllowed,
    SessionChanged,
)
from sessions_app.models import Answers, Conversation, Message, Session, SessionEvent, Turn, User
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import archive_conversation, change_settings
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transcript import post_message
from tests.sessions_app.conftest import Say


def test_it_is_sealed_in_the_log_with_a_queued_turn(conversation: Conversation, say: Say) -> None:
    posted = say("hello")
    session = Session.objects.get(pk=conversation.active_session_id)
    event = SessionEvent.objects.get(session=session, seq=posted.message.first_seq)
    assert posted.message.sealed_seq == event.seq == session.last_seq
    assert event.content["text"] == "hello"
    assert event.content["digest"] == session.head_digest == posted.message.digest
    assert posted.turn is not None
    assert (posted.turn.state, posted.is_new) == ("queued", True)


def test_twenty_retries_make_one_message_and_one_turn(say: Say) -> None:
    posted = [say("hello", client_id="c-1") for _ in range(20)]
    assert len({p.message.pk for p in posted}) == 1
    assert len({p.turn.pk for p in posted if p.turn}) == 1
    assert [p.is_new for p in posted] == [True] + [False] * 19
    assert (Message.objects.count(), Turn.objects.count()) == (1, 1)


def test_the_same_client_id_with_another_text_is_a_conflict(say: Say) -> None:
    say("hello", client_id="c-1")
    with pytest.raises(ClientIdReused):
        say("goodbye", client_id="c-1")
    assert Message.objects.count() == 1


def test_two_people_may_use_the_same_client_id(say: Say, mia: User) -> None:
    assert say("hello", client_id="c-1").message != say("hello", client_id="c-1", by=mia).message


def test_a_send_for_a_session_that_is_no_longer_active_is_refused(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    written_for = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=written_for, origin=origin)
    with pytest.raises(SessionChanged):
        post_message(conversation, by=alice, text="late", client_id="c", expected_session=written_for)
    assert not Message.objects.exists()


def test_a_retry_of_what_was_saved_is_answered_even_after_a_reset(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    session = conversation.active_session
    first = post_message(conversation, by=alice, text="hi", client_id="c", expected_session=session)
    reset_conversation(conversation, by=alice, expected_session=session, origin=origin)
    again = post_message(conversation, by=alice, text="hi", client_id="c", expected_session=session)
    assert (again.message, again.is_new) == (first.message, False)


def test_a_retry_of_what_was_saved_is_answered_even_after_archiving(
    conversation: Conversation, alice: User, say: Say
) -> None:
    first = say("hello", client_id="c")
    archive_conversation(conversation, by=alice)
    again = say("hello", client_id="c")
    assert (again.message, again.is_new) == (first.message, False)


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_message_is_refused(say: Say, text: str) -> None:
    with pytest.raises(MessageEmpty):
        say(text)


@pytest.mark.parametrize("client_id", ["x" * 101, "a\x00b"])
def test_a_client_id_that_cannot_be_stored_is_refused(say: Say, client_id: str) -> None:
    with pytest.raises(Invalid):
        say("hello", client_id=client_id)


def test_strangers_and_viewers_and_the_deactivated_are_refused(
    say: Say, bob: User, vera: User, mia: User
) -> None:
    User.objects.filter(pk=mia.pk).update(is_active=False)
    for person in (bob, vera, mia):
        with pytest.raises(NotAllowed):
            say("hello", by=person)
    assert not Message.objects.exists()


def test_an_archived_conversation_is_refused(conversation: Conversation, alice: User, say: Say) -> None:
    archive_conversation(conversation, by=alice)
    with pytest.raises(ConversationArchived):
        say("hello")


def test_when_mentioned_the_agent_answers_only_its_own_name(
    conversation: Conversation, alice: User, say: Say
) -> None:
    change_settings(conversation, by=alice, answers=Answers.MENTIONED)
    assert say("hello everybody").turn is None
    assert say("me@echo.example and @echoes").turn is None
    assert say("@Echo, are you there?").turn is not None
