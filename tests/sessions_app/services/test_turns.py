"""Leases, journal, ending and recovery: one writer, and every turn ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from sessions_app.errors import NotAllowed, StaleEpoch, TurnNotQueued, TurnUnavailable
from sessions_app.models import Conversation, Message, Session, SessionEvent, Turn, TurnState, User
from sessions_app.services.ending import finish_turn, stop_turn
from sessions_app.services.recovery import orphaned_turns, settle_orphan
from sessions_app.services.turn_lease import Lease, claim_turn, release_lease, renew_leases
from sessions_app.services.turn_states import MOST_RESUMES
from sessions_app.services.verify import verify
from sessions_app.services.withdraw import withdraw_turn
from tests.sessions_app.acting import append_events, append_texts
from tests.sessions_app.conftest import Say


@pytest.fixture
def turn(say: Say) -> Turn:
    turn = say("question").turn
    assert turn is not None
    return turn


def content_of(lease: Lease) -> dict[str, object]:
    return Message.objects.get(pk=lease.message_id).folded


def run_out(turn: Turn) -> Turn:
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    return Turn.objects.get(pk=turn.pk)


def test_of_two_claims_one_wins(turn: Turn) -> None:
    claim_turn(turn, owner="first")
    with pytest.raises(TurnUnavailable):
        claim_turn(turn, owner="second")


def test_turns_of_a_session_are_claimed_in_commit_order(turn: Turn, say: Say) -> None:
    later = say("another").turn
    assert later is not None
    with pytest.raises(TurnUnavailable):
        claim_turn(later, owner="x")
    lease = claim_turn(turn, owner="x")
    with pytest.raises(TurnUnavailable):
        claim_turn(later, owner="x")
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    assert claim_turn(later, owner="x").turn_id == later.pk


def test_a_completed_reply_is_sealed_from_its_events(turn: Turn, conversation: Conversation) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "Hel", "lo")
    append_events(
        lease,
        ("tool_call", {"id": "1", "name": "time", "arguments": "{}"}),
        ("tool_result", {"id": "1", "status": "ok", "output": "noon", "duration_ms": 5}),
        ("text", {"text": " at noon"}),
    )
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch, usage={"output": 3})
    message = Message.objects.get(pk=lease.message_id)
    parts = message.folded["parts"]
    assert [part["kind"] for part in parts] == ["text", "tool_call", "tool_result", "text"]
    assert (parts[0]["text"], parts[1]["status"], parts[1]["duration_ms"]) == ("Hello", "ok", 5)
    assert message.folded["outcome"]["usage"] == {"output": 3}
    session = Session.objects.get(pk=conversation.active_session_id)
    assert (session.last_seq, session.head_digest) == (message.sealed_seq, message.digest)


def test_every_end_raises_the_epoch_first(turn: Turn, alice: User) -> None:
    lease = claim_turn(turn, owner="x")
    assert stop_turn(turn, by=alice).epoch == lease.epoch + 1
    end = SessionEvent.objects.get(kind="turn_ended")
    assert end.content["state"] == "stopped"


def test_a_stop_before_it_has_begun_is_a_stop(turn: Turn, alice: User, say: Say) -> None:
    later = say("another").turn
    assert later is not None
    assert stop_turn(turn, by=alice).state == "stopped"
    assert stop_turn(turn, by=alice).state == "stopped"
    with pytest.raises(TurnUnavailable):
        claim_turn(turn, owner="x")
    assert claim_turn(later, owner="x").turn_id == later.pk
    assert verify().is_clean


def test_a_late_writer_is_refused_after_a_stop(turn: Turn, alice: User) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "kept")
    stop_turn(turn, by=alice)
    before = SessionEvent.objects.count()
    assert append_texts(lease, "late").refused == {turn.pk}
    with pytest.raises(StaleEpoch):
        finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    assert SessionEvent.objects.count() == before
    assert content_of(lease)["parts"] == [{"kind": "text", "text": "kept"}]


def test_stopping_twice_is_stopping_once(turn: Turn, alice: User, mia: User, bob: User) -> None:
    claim_turn(turn, owner="x")
    with pytest.raises(NotAllowed):
        stop_turn(turn, by=bob)
    stop_turn(turn, by=alice)
    assert stop_turn(turn, by=mia).ended_by == alice


def test_a_lease_is_renewed_by_its_holder_only(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    assert renew_leases([lease]) == {turn.pk}
    assert settle_orphan(run_out(turn), new_owner="y", can_continue=True)
    assert renew_leases([lease]) == set()


def test_a_released_turn_is_an_orphan_at_once(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    assert release_lease(lease)
    assert append_texts(lease, "late").refused == {turn.pk}
    assert [orphan.pk for orphan in orphaned_turns()] == [turn.pk]


def test_a_dead_owner_is_noticed_before_its_lease_runs_out(turn: Turn) -> None:
    claim_turn(turn, owner="dead")
    assert orphaned_turns() == []
    assert [orphan.pk for orphan in orphaned_turns(dead_owners=["dead"])] == [turn.pk]


def test_a_process_never_settles_its_own_turn(turn: Turn) -> None:
    claim_turn(turn, owner="me")
    run_out(turn)
    assert orphaned_turns(not_owned_by="me") == []


def test_a_turn_goes_on_after_its_exact_prefix_with_a_mark(turn: Turn) -> None:
    first = claim_turn(turn, owner="x")
    append_texts(first, "one ")
    second = settle_orphan(run_out(turn), new_owner="y", can_continue=True)
    assert second is not None
    assert append_texts(first, "late").refused == {turn.pk}
    append_texts(second, "two")
    finish_turn(turn, TurnState.COMPLETED, epoch=second.epoch)
    content = content_of(first)
    assert content["parts"] == [{"kind": "text", "text": "one two"}]
    assert content["marks"] == [{"kind": "resumed", "attempt": 1, "part": 1, "offset": 4}]


def test_it_goes_on_at_most_three_times(turn: Turn) -> None:
    claim_turn(turn, owner="x")
    for _ in range(3):
        assert settle_orphan(run_out(turn), new_owner="y", can_continue=True)
    assert settle_orphan(run_out(turn), new_owner="y", can_continue=True) is None
    assert Turn.objects.get(pk=turn.pk).state == "interrupted"


def test_a_turn_that_is_let_go_of_goes_on_however_often(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    for _ in range(MOST_RESUMES + 2):
        assert release_lease(lease)
        found = settle_orphan(Turn.objects.get(pk=turn.pk), new_owner="y", can_continue=True)
        assert found is not None
        lease = found
    assert Turn.objects.get(pk=turn.pk).resumes == 0
    assert append_texts(lease, "still here").refused == set()


def test_an_agent_that_cannot_continue_is_interrupted_and_sealed(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "half")
    assert settle_orphan(run_out(turn), new_owner="y", can_continue=False) is None
    outcome = content_of(lease)["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["state"] == "interrupted"


def test_a_tool_call_with_unknown_outcome_is_shown_and_not_run_again(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_events(lease, ("tool_call", {"id": "1", "name": "send_mail", "arguments": "{}"}))
    assert settle_orphan(run_out(turn), new_owner="y", can_continue=True) is None
    parts = content_of(lease)["parts"]
    assert isinstance(parts, list)
    assert parts[0]["status"] == "unknown"
    assert "send_mail" in Turn.objects.get(pk=turn.pk).reason


def test_an_idempotent_tool_may_be_run_again(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_events(lease, ("tool_call", {"id": "1", "name": "time", "arguments": "{}"}))
    assert settle_orphan(run_out(turn), new_owner="y", can_continue=True, idempotent_tools=["time"])


def test_an_owner_that_has_renewed_meanwhile_is_alive_and_keeps_its_turn(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    seen = run_out(turn)
    assert renew_leases([lease]) == {turn.pk}
    with pytest.raises(TurnUnavailable):
        settle_orphan(seen, new_owner="y", can_continue=True)
    assert append_texts(lease, "still mine").first_seqs


def test_of_two_recoveries_one_wins(turn: Turn) -> None:
    claim_turn(turn, owner="x")
    seen_by_both = run_out(turn)
    settle_orphan(seen_by_both, new_owner="y", can_continue=True)
    with pytest.raises(TurnUnavailable):
        settle_orphan(seen_by_both, new_owner="z", can_continue=True)


def test_a_failed_turn_keeps_its_text_and_says_why(turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "half")
    finish_turn(turn, TurnState.FAILED, epoch=lease.epoch, reason="The provider hung up.")
    assert content_of(lease)["parts"] == [
        {"kind": "text", "text": "half"},
        {"kind": "error", "text": "The provider hung up."},
    ]


def test_a_waiting_message_is_withdrawn_by_who_asked(turn: Turn, alice: User, mia: User) -> None:
    with pytest.raises(NotAllowed):
        withdraw_turn(turn, by=mia)
    assert withdraw_turn(turn, by=alice).state == "withdrawn"
    assert withdraw_turn(turn, by=alice).state == "withdrawn"
    with pytest.raises(TurnUnavailable):
        claim_turn(turn, owner="x")


def test_a_message_being_answered_cannot_be_withdrawn(turn: Turn, alice: User) -> None:
    claim_turn(turn, owner="x")
    with pytest.raises(TurnNotQueued):
        withdraw_turn(turn, by=alice)
