"""What one person keeps about a conversation."""

from __future__ import annotations

import pytest

from sessions_app.errors import Invalid, NotAllowed
from sessions_app.models import Conversation, User
from sessions_app.services.personal import keep_draft, mark_read, personal_state
from sessions_app.services.reset import reset_conversation
from tests.sessions_app.conftest import PAGE, Say


def test_a_marker_goes_forward_only_and_never_beyond_the_end(
    conversation: Conversation, mia: User, say: Say
) -> None:
    say("one")
    say("two")
    session = conversation.active_session
    session.refresh_from_db()
    assert mark_read(session, by=mia, seq=10_000).read_seq == session.last_seq
    assert mark_read(session, by=mia, seq=1).read_seq == session.last_seq


def test_another_session_begins_with_its_own_marker(
    conversation: Conversation, alice: User, say: Say
) -> None:
    say("one")
    session = conversation.active_session
    session.refresh_from_db()
    mark_read(session, by=alice, seq=2)
    reset_conversation(conversation, by=alice, expected_session=session, origin=PAGE)
    conversation.refresh_from_db()
    state = mark_read(conversation.active_session, by=alice, seq=1)
    assert (state.read_session, state.read_seq) == (conversation.active_session, 1)


def test_a_stranger_marks_nothing(conversation: Conversation, bob: User) -> None:
    with pytest.raises(NotAllowed):
        mark_read(conversation.active_session, by=bob, seq=1)
    assert personal_state(conversation, bob).pk is None


def test_a_draft_is_kept_for_its_writer_alone(conversation: Conversation, alice: User, mia: User) -> None:
    keep_draft(conversation, by=alice, text="half a thou\x00ght")
    assert personal_state(conversation, alice).draft == "half a thou\u2400ght"
    assert personal_state(conversation, mia).draft == ""


def test_a_viewer_has_nothing_to_draft(conversation: Conversation, vera: User) -> None:
    with pytest.raises(NotAllowed):
        keep_draft(conversation, by=vera, text="x")


def test_a_draft_beyond_all_measure_is_refused(conversation: Conversation, alice: User) -> None:
    with pytest.raises(Invalid):
        keep_draft(conversation, by=alice, text="x" * 300_000)
