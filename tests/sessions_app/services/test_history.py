"""Reading a history forward from a message, through its forks."""

from __future__ import annotations

from sessions_app.models import Conversation, User
from sessions_app.services.facts import facts_between
from sessions_app.services.fork import edit_and_resend
from sessions_app.services.history import history, is_part_of, later
from tests.sessions_app.conftest import PAGE, Say


def test_later_is_the_rest_of_the_history(conversation: Conversation, say: Say) -> None:
    for number in range(7):
        say(str(number))
    everything = history(conversation.active_session)
    assert later(conversation.active_session, after=everything[2]) == everything[3:]
    assert later(conversation.active_session, after=everything[2], limit=2) == everything[3:5]


def test_later_goes_on_from_the_parent_into_the_fork(
    conversation: Conversation, alice: User, say: Say
) -> None:
    messages = [say(str(number)).message for number in range(5)]
    edited = edit_and_resend(messages[3], by=alice, text="new", client_id="edit", origin=PAGE).message
    conversation.refresh_from_db()
    session = conversation.active_session
    assert later(session, after=messages[0]) == [messages[1], messages[2], edited]
    assert is_part_of(session, messages[2])
    assert not is_part_of(session, messages[3])


def test_facts_are_found_in_their_stretch_of_the_log(conversation: Conversation, say: Say) -> None:
    session = conversation.active_session
    say("one")
    session.refresh_from_db()
    [began] = facts_between(session, after=0, up_to=session.last_seq)
    assert began.kind == "made_active"
    assert facts_between(session, after=began.seq, up_to=session.last_seq) == []
