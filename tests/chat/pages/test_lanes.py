from __future__ import annotations

from chat.pages.lanes import LANE, MARGIN, drawn
from sessions_app.models import Checkpoint, Conversation, Session, User
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.restore import restore_checkpoint, restore_session
from sessions_app.services.timeline import timeline
from tests.chat.recovery.cast import alice, conversation, lost, olga
from tests.sessions_app.conftest import PAGE

__all__ = ["alice", "conversation", "lost", "olga"]
FIRST, SECOND, THIRD = (MARGIN + LANE * lane for lane in range(3))


def picture(conversation: Conversation) -> list[tuple[int | None, int, int | None]]:
    conversation.refresh_from_db()
    pieces = drawn(timeline(conversation).moments, conversation.active_session)
    return [(piece.above, piece.dot, piece.below) for piece in pieces]


def test_a_reset_goes_from_one_lane_to_the_next(conversation: Conversation, lost: Session) -> None:
    assert picture(conversation) == [(SECOND, SECOND, FIRST), (FIRST, FIRST, None)]


def test_a_restored_session_has_its_old_lane(conversation: Conversation, lost: Session, alice: User) -> None:
    restore_session(lost, by=alice, origin=PAGE)
    assert picture(conversation)[0] == (FIRST, FIRST, SECOND)


def test_a_fork_shows_where_it_begins(conversation: Conversation, lost: Session, alice: User) -> None:
    restore_checkpoint(Checkpoint.objects.get(), by=alice, origin=PAGE)
    conversation.refresh_from_db()
    newest = drawn(timeline(conversation).moments, conversation.active_session)[0]
    assert (newest.dot, newest.moved_from, newest.forked_from) == (THIRD, SECOND, FIRST)


def test_a_checkpoint_lies_on_its_lane_and_moves_nothing(
    conversation: Conversation, lost: Session, alice: User
) -> None:
    take_checkpoint(conversation, by=alice, name="here")
    assert picture(conversation)[0] == (SECOND, SECOND, SECOND)


def test_an_older_page_goes_on_in_the_right_lane(conversation: Conversation, lost: Session) -> None:
    first = timeline(conversation, limit=1)
    assert first.older
    rest = timeline(conversation, before=first.older)
    assert drawn(rest.moments, conversation.active_session)[0].above == FIRST
