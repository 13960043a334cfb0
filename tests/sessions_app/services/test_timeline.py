from __future__ import annotations

from sessions_app.models import Checkpoint, CheckpointKind, Conversation, User
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import mark_checkpoint, take_checkpoint
from sessions_app.services.compaction import record_compaction
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_session
from sessions_app.services.timeline import Moment, timeline
from tests.sessions_app.conftest import Exchange


def what(moment: Moment) -> str:
    if moment.entry is not None:
        return moment.entry.action
    assert moment.checkpoint is not None
    return moment.checkpoint.name


def busy(conversation: Conversation, alice: User, exchange: Exchange, origin: Origin) -> None:
    exchange()
    take_checkpoint(conversation, by=alice, name="Decision")
    record_compaction(conversation.active_session, summary="short", by=alice)
    first = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=first, origin=origin)
    restore_session(first, by=alice, origin=origin)


ALL = ["restore_session", "reset", "Before compaction", "Decision", "start"]


def test_it_tells_everything_newest_first(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    busy(conversation, alice, exchange, origin)
    told = timeline(conversation)
    assert [what(moment) for moment in told.moments] == ALL
    assert told.older is None


def test_a_move_brings_its_sessions_and_its_checkpoint(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    busy(conversation, alice, exchange, origin)
    reset = timeline(conversation).moments[1]
    assert reset.old is not None
    assert reset.new is not None
    assert (reset.old.number, reset.new.number) == (1, 2)
    assert reset.checkpoint == Checkpoint.objects.get(name="Before a new session")


def test_pages_of_any_size_give_the_same_without_a_hole_or_a_repetition(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    busy(conversation, alice, exchange, origin)
    for limit in (1, 2, 3, 5):
        seen, before = [], ""
        while True:
            page = timeline(conversation, before=before, limit=limit)
            seen += [what(moment) for moment in page.moments]
            if page.older is None:
                break
            before = page.older
        assert seen == ALL


def test_moments_of_one_instant_are_not_lost_between_pages(conversation: Conversation, alice: User) -> None:
    start = timeline(conversation).moments[0]
    for name in ("a", "b", "c"):
        mark_checkpoint(
            conversation.active_session, kind=CheckpointKind.MANUAL, name=name, by=alice, at=start.at
        )
    first = timeline(conversation, limit=2)
    assert first.older is not None
    rest = timeline(conversation, before=first.older)
    assert [what(moment) for moment in (*first.moments, *rest.moments)] == ["start", "c", "b", "a"]


def test_a_position_that_cannot_be_read_is_the_beginning(conversation: Conversation) -> None:
    for nonsense in ("x", "1 2 3", "2026-01-01 a b", "\x00"):
        assert len(timeline(conversation, before=nonsense).moments) == 1
