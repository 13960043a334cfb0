"""Moves that meet: of two at once one wins and the other is told, on both engines; nothing is moved twice."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from sessions_app.errors import HoldfastError
from sessions_app.models import AuditEntry, Checkpoint, Conversation, Message, Session, Turn, User
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.confirmed_reset import reset_as_confirmed, what_would_be_archived
from sessions_app.services.history import history
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint, restore_session, undo_move
from sessions_app.services.turn_lease import claim_turn
from sessions_app.services.verify import verify
from tests.sessions_app.acting import OWNER, append_texts
from tests.sessions_app.conftest import Exchange, Say
from tests.sessions_app.threads import in_threads, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5


def told_at_once(*acts: Callable[[], AuditEntry]) -> list[str]:
    """What each was told when all began together: the action that was done, or the code of the refusal."""
    told: list[str] = []
    together = threading.Barrier(len(acts))

    def run(act: Callable[[], AuditEntry]) -> None:
        together.wait(30)
        try:
            told.append(str(act().action))
        except HoldfastError as refusal:
            told.append(refusal.code)

    in_threads(*(lambda act=act: run(act) for act in acts))
    return sorted(told)


def moves(conversation: Conversation) -> int:
    return AuditEntry.objects.pointer_moves().filter(conversation_id=conversation.pk).count()


def fresh(conversation: Conversation) -> Conversation:
    return Conversation.objects.select_related("active_session").get(pk=conversation.pk)


@pytest.fixture
def lost(conversation: Conversation, alice: User, exchange: Exchange, origin: Origin) -> Session:
    exchange("one", "two")
    session = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=session, origin=origin)
    session.refresh_from_db()
    return session


def test_of_two_resets_at_once_one_wins_and_the_other_is_told(
    conversation: Conversation, alice: User, mia: User, origin: Origin
) -> None:
    def confirmed(by: User) -> Callable[[], AuditEntry]:
        token = what_would_be_archived(conversation, by=by).confirmation
        return lambda: reset_as_confirmed(conversation, by=by, confirmation=token, origin=origin)

    for count in range(1, ROUNDS + 1):
        assert told_at_once(confirmed(alice), confirmed(mia)) == ["reset", "session_changed"]
        assert conversation.sessions.count() == count + 1
    assert verify().findings == ()


def test_one_confirmation_sent_many_times_at_once_is_one_reset(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    """A stale tab that repeats itself after a reconnect gets the answer it missed."""
    token = what_would_be_archived(conversation, by=alice).confirmation
    before = moves(conversation)
    told = told_at_once(
        *[lambda: reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)] * 4
    )
    assert told == ["reset"] * 4
    assert moves(conversation) == before + 1


def test_of_two_who_restore_one_session_at_once_one_wins_and_the_other_is_told(
    conversation: Conversation, lost: Session, alice: User, mia: User, origin: Origin
) -> None:
    digest, before = lost.head_digest, moves(conversation)
    seen = fresh(conversation).active_session
    told = told_at_once(
        lambda: restore_session(lost, by=alice, origin=origin, expected_session=seen),
        lambda: restore_session(lost, by=mia, origin=origin, expected_session=seen),
    )
    assert told == ["restore_session", "session_changed"]
    assert (fresh(conversation).active_session, moves(conversation)) == (lost, before + 1)
    lost.refresh_from_db()
    assert lost.head_digest == digest
    assert verify().findings == ()


def test_without_an_expected_session_the_second_is_told_that_it_is_active_already(
    lost: Session, alice: User, mia: User, origin: Origin
) -> None:
    told = told_at_once(
        lambda: restore_session(lost, by=alice, origin=origin),
        lambda: restore_session(lost, by=mia, origin=origin),
    )
    assert told == ["already_active", "restore_session"]


def test_of_a_session_and_a_checkpoint_restored_at_once_one_wins(
    conversation: Conversation, lost: Session, alice: User, mia: User, origin: Origin
) -> None:
    checkpoint = Checkpoint.objects.get(session=lost)
    seen, before = fresh(conversation).active_session, moves(conversation)
    told = told_at_once(
        lambda: restore_session(lost, by=alice, origin=origin, expected_session=seen),
        lambda: restore_checkpoint(checkpoint, by=mia, origin=origin, expected_session=seen),
    )
    assert told in (["restore_session", "session_changed"], ["restore_checkpoint", "session_changed"])
    active = fresh(conversation).active_session
    assert [message.folded["parts"][0]["text"] for message in history(active)] == ["one", "two"]
    assert moves(conversation) == before + 1
    assert verify().findings == ()


def test_of_a_reset_and_a_restore_at_once_one_wins(
    conversation: Conversation, lost: Session, alice: User, mia: User, origin: Origin
) -> None:
    seen, before = fresh(conversation).active_session, moves(conversation)
    told = told_at_once(
        lambda: reset_conversation(conversation, by=alice, expected_session=seen, origin=origin),
        lambda: restore_session(lost, by=mia, origin=origin, expected_session=seen),
    )
    assert told in (["reset", "session_changed"], ["restore_session", "session_changed"])
    assert moves(conversation) == before + 1
    assert verify().findings == ()


def test_of_two_undos_at_once_one_wins(
    conversation: Conversation, lost: Session, alice: User, mia: User, origin: Origin
) -> None:
    entry = fresh(conversation).active_entry
    told = told_at_once(
        lambda: undo_move(conversation, entry=entry, by=alice, origin=origin),
        lambda: undo_move(conversation, entry=entry, by=mia, origin=origin),
    )
    assert told == ["nothing_to_undo", "undo"]
    assert fresh(conversation).active_session == lost


def test_restores_of_several_checkpoints_at_once_all_leave_their_entry(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    """Nobody named what they expect: each moves the pointer, one after the other, and each is on the record."""
    marks = []
    for number in range(3):
        exchange(f"q{number}", f"a{number}")
        marks.append(take_checkpoint(conversation, by=alice, name=str(number)))
    before = moves(conversation)
    told = told_at_once(
        *(lambda mark=mark: restore_checkpoint(mark, by=alice, origin=origin) for mark in marks)
    )
    assert told == ["restore_checkpoint"] * 3
    assert moves(conversation) == before + 3
    assert verify().findings == ()


def test_a_reset_while_an_answer_is_written_keeps_every_saved_word_in_the_archive(
    conversation: Conversation, alice: User, say: Say, origin: Origin
) -> None:
    turn = say("go").turn
    assert turn is not None
    lease = claim_turn(turn, owner=OWNER)
    saved: list[str] = []

    def write() -> None:
        """Busy ones are repeated, as the journal writer does: only what was given a seq is saved."""
        while not (batch := append_texts(lease, f"{len(saved)} ")).refused:
            if turn.pk in batch.first_seqs:
                saved.append(f"{len(saved)} ")

    def reset() -> None:
        wait_for(lambda: len(saved) > 20)
        reset_conversation(
            conversation, by=alice, expected_session=conversation.active_session, origin=origin
        )

    in_threads(write, reset)
    stopped, reply = Turn.objects.get(pk=turn.pk), Message.objects.get(pk=lease.message_id)
    assert stopped.state == "stopped"
    assert reply.folded["parts"] == [{"kind": "text", "text": "".join(saved)}]
    assert (reply.session, fresh(conversation).active_session.number) == (conversation.active_session, 2)
    assert verify().findings == ()
