"""Incident b: a server died while it streamed, and pages waited for ever for an id that nobody wrote to again."""

from __future__ import annotations

import pytest

from sessions_app.errors import StaleEpoch
from sessions_app.models import (
    Conversation,
    Message,
    MessageRole,
    Session,
    SessionEvent,
    Turn,
    TurnState,
)
from sessions_app.services.ending import finish_turn
from sessions_app.services.history import snapshot
from sessions_app.services.recovery import orphaned_turns, settle_orphan
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.sessions_app.acting import append_events, append_texts
from tests.sessions_app.conftest import Say
from tests.sessions_app.incidents.history import all_about

DEAD, ALIVE = "dead-owner", "live-owner"


def started(turn: Turn | None, *, owner: str) -> Turn:
    assert turn is not None
    append_texts(claim_turn(turn, owner=owner), "half a sen")
    return Turn.objects.get(pk=turn.pk)


def lease_after_crash(*, can_continue: bool) -> list[Lease | None]:
    """What recovery does when it finds that an owner has died."""
    return [
        settle_orphan(turn, new_owner=ALIVE, can_continue=can_continue)
        for turn in orphaned_turns(dead_owners=[DEAD], not_owned_by=ALIVE)
    ]


def assert_nobody_waits_for_the_dead(session: Session) -> None:
    running = Turn.objects.filter(state=TurnState.RUNNING)
    assert not running.exclude(owner=ALIVE).exists()
    assert not Turn.objects.exclude(state=TurnState.RUNNING).exclude(owner="", lease_until=None).exists()
    written_to = set(running.values_list("reply_id", flat=True))
    assert set(Message.objects.filter(sealed_seq=None).values_list("pk", flat=True)) == written_to
    shown = snapshot(session)
    assert all(turn.owner == ALIVE or turn.state == TurnState.QUEUED for turn in shown.live_turns)
    waited_for = {turn.reply_id for turn in shown.live_turns if turn.is_running}
    assert {message.pk for message in shown.messages if not message.is_sealed} == waited_for
    assert all(shown.contents[m.pk]["outcome"] for m in shown.messages if is_settled_reply(m))


def is_settled_reply(message: Message) -> bool:
    return message.role == MessageRole.AGENT and message.is_sealed


@pytest.mark.parametrize("can_continue", [False, True])
def test_no_id_of_a_dead_stream_is_left_where_a_page_could_wait_for_it(
    can_continue: bool, conversation: Conversation, say: Say
) -> None:
    orphan = started(say("asked").turn, owner=DEAD)
    say("asked meanwhile")
    events = list(SessionEvent.objects.order_by("seq").values_list("seq", "payload"))
    pointer = conversation.active_session_id
    leases = lease_after_crash(can_continue=can_continue)
    assert_nobody_waits_for_the_dead(conversation.active_session)
    orphan.refresh_from_db()
    assert orphan.state == (TurnState.RUNNING if can_continue else TurnState.INTERRUPTED)
    assert [lease.owner for lease in leases if lease] == ([ALIVE] if can_continue else [])
    kept = list(SessionEvent.objects.order_by("seq").values_list("seq", "payload"))
    assert kept[: len(events)] == events
    conversation.refresh_from_db()
    assert conversation.active_session_id == pointer


def test_a_tool_whose_outcome_nobody_knows_leaves_no_stream_either(
    conversation: Conversation, say: Say
) -> None:
    turn = say("send it").turn
    assert turn is not None
    lease = claim_turn(turn, owner=DEAD)
    append_events(lease, ("tool_call", {"id": "1", "name": "send_mail", "arguments": "{}"}))
    assert lease_after_crash(can_continue=True) == [None]
    assert_nobody_waits_for_the_dead(conversation.active_session)


def test_a_server_that_dies_again_and_again_leaves_no_stream_in_the_end(
    conversation: Conversation, say: Say
) -> None:
    turn = started(say("asked").turn, owner=DEAD)
    for _ in range(4):
        Turn.objects.filter(pk=turn.pk, state=TurnState.RUNNING).update(owner=DEAD)
        lease_after_crash(can_continue=True)
        assert_nobody_waits_for_the_dead(conversation.active_session)
    turn.refresh_from_db()
    assert turn.state == TurnState.INTERRUPTED
    assert "4 times" in turn.reason


def test_a_dead_owner_that_wakes_up_writes_nothing(conversation: Conversation, say: Say) -> None:
    turn = say("asked").turn
    assert turn is not None
    lease = claim_turn(turn, owner=DEAD)
    append_texts(lease, "before")
    lease_after_crash(can_continue=False)
    before = all_about(conversation)
    assert append_texts(lease, "after").refused == {turn.pk}
    with pytest.raises(StaleEpoch):
        finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    assert all_about(conversation) == before
    assert_nobody_waits_for_the_dead(conversation.active_session)
