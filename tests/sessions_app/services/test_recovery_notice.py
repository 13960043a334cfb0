from __future__ import annotations

import pytest

from sessions_app.models import Conversation, Turn, TurnState
from sessions_app.services.ending import finish_turn
from sessions_app.services.recovery import settle_orphan
from sessions_app.services.recovery_notice import RecoveryNotice, recovery_notice
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.sessions_app.acting import append_events, append_texts
from tests.sessions_app.conftest import Say


@pytest.fixture
def turn(say: Say) -> Turn:
    turn = say("question").turn
    assert turn is not None
    return turn


def told(conversation: Conversation) -> RecoveryNotice:
    notice = recovery_notice(conversation.active_session)
    assert notice is not None
    return notice


def crash(turn: Turn, *, can_continue: bool) -> Lease | None:
    turn.refresh_from_db()
    return settle_orphan(turn, new_owner="next", can_continue=can_continue)


def test_without_a_crash_there_is_none(conversation: Conversation, turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "hello")
    finish_turn(turn, TurnState.INTERRUPTED, epoch=lease.epoch, reason="The provider hung up.")
    assert recovery_notice(conversation.active_session) is None


def test_it_says_how_much_was_saved_and_that_the_answer_went_on(
    conversation: Conversation, turn: Turn
) -> None:
    lease = claim_turn(turn, owner="x")
    append_texts(lease, "twelve chars")
    resumed = crash(turn, can_continue=True)
    assert resumed is not None
    append_texts(resumed, " and many, many more")
    assert told(conversation).sentence == (
        "The server stopped while Echo was answering: 12 characters (about 3 tokens) had been saved and "
        "nothing of it is missing. The answer goes on from there."
    )
    finish_turn(turn, TurnState.COMPLETED, epoch=resumed.epoch)
    assert told(conversation).sentence.endswith("The answer went on from there.")


def test_it_says_what_could_not_be_known(conversation: Conversation, turn: Turn) -> None:
    lease = claim_turn(turn, owner="x")
    append_events(
        lease,
        ("tool_call", {"id": "1", "name": "time", "arguments": "{}"}),
        ("tool_result", {"id": "1", "status": "ok", "output": "noon", "duration_ms": 5}),
        ("text", {"text": "a"}),
        ("tool_call", {"id": "2", "name": "deploy", "arguments": "{}"}),
    )
    assert crash(turn, can_continue=True) is None
    assert told(conversation).sentence == (
        "The server stopped while Echo was answering: 1 character (about 0 tokens) and 1 tool result had been "
        "saved and nothing of it is missing. The answer could not go on by itself; you can continue it. "
        "Whether “deploy” acted is not known; it was not run again."
    )


def test_it_counts_the_crashes(conversation: Conversation, turn: Turn) -> None:
    claim_turn(turn, owner="x")
    for _ in range(2):
        crash(turn, can_continue=True)
    crash(turn, can_continue=False)
    assert "stopped 3 times" in told(conversation).sentence
