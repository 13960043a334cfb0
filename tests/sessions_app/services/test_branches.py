"""Forks, new versions, continuations and compaction: the older one always stays readable."""

from __future__ import annotations

import pytest

from sessions_app.errors import Conflict, Invalid, NotAllowed, ReplyNotLast, TurnRunning
from sessions_app.models import Conversation, Message, Session, Turn, TurnState, User
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import last_compaction, record_compaction
from sessions_app.services.ending import finish_turn
from sessions_app.services.fork import edit_and_resend, fork_before
from sessions_app.services.history import history, snapshot, superseded_in
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.restore import restore_checkpoint
from sessions_app.services.turn_lease import claim_turn
from sessions_app.services.verify import verify
from tests.sessions_app.acting import answer_turn, append_texts
from tests.sessions_app.conftest import Exchange, Say


def texts(session: Session) -> list[str]:
    return [message.folded["parts"][0]["text"] for message in history(session)]


def active(conversation: Conversation) -> Session:
    return Conversation.objects.get(pk=conversation.pk).active_session


def test_a_fork_ends_before_the_message_and_the_original_is_archived_whole(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    second = exchange("three", "four")
    original = conversation.active_session
    fork_before(second, by=alice, origin=origin)
    assert texts(active(conversation)) == ["one", "two", "three"]
    assert texts(original) == ["one", "two", "three", "four"]


def test_a_fork_of_a_fork_walks_all_segments(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    for round_ in range(4):
        exchange(f"q{round_}", f"a{round_}")
        fork_before(exchange("away", "away"), by=alice, origin=origin)
    expected = [text for n in range(4) for text in (f"q{n}", f"a{n}", "away")]
    session = active(conversation)
    assert texts(session) == expected
    assert session.message_count == len(expected)
    page = history(session, limit=5)
    assert page == history(session)[-5:]
    assert history(session, before=page[0], limit=100) == history(session)[:-5]


def test_an_inherited_message_can_be_forked_before(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    first = exchange("one", "two")
    fork_before(exchange("three", "four"), by=alice, origin=origin)
    fork_before(first, by=alice, origin=origin)
    assert texts(active(conversation)) == ["one"]


def test_editing_forks_and_posts_the_new_text_once(
    conversation: Conversation, alice: User, mia: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    question = history(conversation.active_session)[0]
    with pytest.raises(NotAllowed):
        edit_and_resend(question, by=mia, text="mine", client_id="m", origin=origin)
    posted = [
        edit_and_resend(question, by=alice, text="better", client_id="e", origin=origin) for _ in range(3)
    ]
    assert [p.is_new for p in posted] == [True, False, False]
    assert texts(active(conversation)) == ["better"]
    assert conversation.sessions.count() == 2


def test_a_reply_cannot_be_edited(alice: User, exchange: Exchange, origin: Origin) -> None:
    with pytest.raises(Invalid):
        edit_and_resend(exchange(), by=alice, text="x", client_id="e", origin=origin)


def test_a_new_version_supersedes_and_the_old_one_stays(
    conversation: Conversation, alice: User, exchange: Exchange
) -> None:
    reply = exchange("question", "first")
    turn = regenerate_reply(reply, by=alice)
    assert regenerate_reply(reply, by=alice) == turn
    second = answer_turn(turn, "second")
    assert second.supersedes == reply
    session = active(conversation)
    assert superseded_in(session, history(session)) == {reply.pk: second}
    assert texts(session) == ["question", "first", "second"]


def test_only_the_last_reply_gets_a_new_version(alice: User, exchange: Exchange, say: Say) -> None:
    reply = exchange()
    turn = say("more").turn
    with pytest.raises(TurnRunning):
        regenerate_reply(reply, by=alice)
    assert turn is not None
    answer_turn(turn, "done")
    with pytest.raises(ReplyNotLast):
        regenerate_reply(reply, by=alice)


def test_a_reply_inherited_by_two_forks_gets_a_version_in_each(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    reply = exchange("question", "first")
    answer_turn(regenerate_reply(reply, by=alice), "second")
    later = Message.objects.get(supersedes=reply)
    fork_before(later, by=alice, origin=origin)
    answer_turn(regenerate_reply(reply, by=alice), "third")
    session = active(conversation)
    assert superseded_in(session, history(session))[reply.pk].session == session


def test_a_broken_off_reply_is_continued_by_a_message_that_names_it(alice: User, say: Say) -> None:
    turn = say().turn
    assert turn is not None
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "half")
    finish_turn(turn, TurnState.INTERRUPTED, epoch=lease.epoch, reason="gone")
    reply = Message.objects.get(pk=lease.message_id)
    rest = continue_reply(reply, by=alice)
    assert continue_reply(reply, by=alice) == rest
    assert answer_turn(rest, " the rest").continues == reply


def test_a_complete_reply_is_not_continued(alice: User, exchange: Exchange) -> None:
    with pytest.raises(Conflict):
        continue_reply(exchange(), by=alice)
    assert Turn.objects.count() == 1


def test_a_compaction_takes_a_checkpoint_and_restoring_it_gives_the_context_back(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    checkpoint = record_compaction(conversation.active_session, summary="They said one and two.", by=None)
    exchange("three", "four")
    session = active(conversation)
    found = last_compaction(session)
    assert found is not None
    assert found.payload["summary"] == "They said one and two."
    assert texts(session) == ["one", "two", "three", "four"]
    restore_checkpoint(checkpoint, by=alice, origin=origin)
    assert last_compaction(active(conversation)) is None


def test_the_nearest_compaction_counts_and_one_after_the_fork_does_not(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange("one", "two")
    record_compaction(conversation.active_session, summary="first", by=None)
    later = exchange("three", "four")
    record_compaction(conversation.active_session, summary="after the fork", by=None)
    fork_before(later, by=alice, origin=origin)
    inherited = last_compaction(active(conversation))
    record_compaction(active(conversation), summary="own", by=None)
    own = last_compaction(active(conversation))
    assert inherited is not None
    assert own is not None
    assert (inherited.payload["summary"], own.payload["summary"]) == ("first", "own")


def test_what_was_still_being_written_is_not_part_of_a_fork_or_a_checkpoint(
    conversation: Conversation, alice: User, say: Say, origin: Origin
) -> None:
    """A question that came while the agent still answered the one before: the fork before it has no answer."""
    original, turn = conversation.active_session, say("first").turn
    assert turn is not None
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "half")
    second = say("second").message
    checkpoint = take_checkpoint(conversation, by=alice, name="while it writes")
    append_texts(lease, " and half")
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    assert texts(original) == ["first", "half and half", "second"]
    fork_before(second, by=alice, origin=origin)
    assert texts(active(conversation)) == ["first"]
    restore_checkpoint(checkpoint, by=alice, origin=origin)
    assert texts(active(conversation)) == ["first", "second"]
    assert texts(original) == ["first", "half and half", "second"]
    assert verify().is_clean


def test_a_snapshot_holds_only_what_was_true_at_its_point(conversation: Conversation, say: Say) -> None:
    turn = say("question").turn
    assert turn is not None
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "half")
    view = snapshot(conversation.active_session)
    append_texts(lease, " done")
    assert view.contents[lease.message_id]["parts"] == [{"kind": "text", "text": "half"}]
    assert [live.pk for live in view.live_turns] == [turn.pk]
