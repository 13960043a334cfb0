"""After a crash: a turn goes on after its exact words where it can, and ends with a reason where it cannot."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat.database_threads import read, write
from chat.providers.demo import expected_text
from chat.turns.owner import run_folder
from chat.turns.recovery import ABANDONED_SECONDS, end_abandoned, recover
from sessions_app.models import AfterInterruption, Agent, Conversation, Message, Turn, TurnState
from sessions_app.services.history import history
from sessions_app.services.turn_lease import Lease, claim_turn
from sessions_app.services.verify import verify
from tests.chat.live import Live, eventually, words
from tests.sessions_app.acting import append_events, append_texts
from tests.sessions_app.services.writers import say, start_team

QUESTION = "tokens 30 at 0/s"


def left_behind(*texts: str, by: str = "gone", question: str = QUESTION) -> Lease:
    """A turn whose owner has died after it said this much."""
    turn = say(Conversation.objects.first() or start_team(), question).turn
    assert turn is not None
    lease = claim_turn(turn, owner=by)
    if texts:
        append_texts(lease, *texts)
    run_folder().mkdir(parents=True, exist_ok=True)
    (run_folder() / f"{by}.lock").touch()
    return lease


def turn_of(lease: Lease) -> Turn:
    return Turn.objects.select_related("reply").get(pk=lease.turn_id)


@pytest.mark.usefixtures("fresh_database")
class TestWithoutARuntime:
    def test_a_dead_owners_turn_is_taken_over_at_once_with_a_new_epoch(self) -> None:
        lease = left_behind("word1 ")
        recover("me")
        turn = turn_of(lease)
        assert (turn.state, turn.owner, turn.epoch, turn.resumes) == ("running", "me", lease.epoch + 1, 1)
        assert list(run_folder().iterdir()) == []

    def test_an_agent_that_cannot_go_on_is_interrupted_with_its_words(self) -> None:
        lease = left_behind("word1 ")
        Agent.objects.update(provider="openai_compatible", address="http://127.0.0.1:9/v1", model="m")
        recover("me")
        turn = turn_of(lease)
        assert turn.state == TurnState.INTERRUPTED
        assert "cannot go on by itself" in turn.reason
        assert turn.reply is not None
        assert words(turn.reply) == "word1 "

    def test_an_agent_that_shall_ask_is_interrupted_though_it_could_go_on(self) -> None:
        lease = left_behind("word1 ")
        Agent.objects.update(after_interruption=AfterInterruption.ASK)
        recover("me")
        assert turn_of(lease).state == TurnState.INTERRUPTED

    def test_a_tool_whose_outcome_is_unknown_is_shown_so_and_not_run_again(self) -> None:
        """P10."""
        lease = left_behind()
        append_events(lease, ("tool_call", {"id": "1", "name": "send_mail", "arguments": "{}"}))
        recover("me")
        turn = turn_of(lease)
        assert turn.state == TurnState.INTERRUPTED
        assert "send_mail" in turn.reason
        assert turn.reply is not None
        assert turn.reply.folded["parts"][0]["status"] == "unknown"

    def test_the_fourth_death_ends_it(self) -> None:
        lease = left_behind("word1 ")
        for owner in ("first", "second", "third"):
            recover(owner)
            (run_folder() / f"{owner}.lock").touch()
        assert turn_of(lease).resumes == 3
        recover("fourth")
        turn = turn_of(lease)
        assert (turn.state, turn.resumes) == (TurnState.INTERRUPTED, 3)

    def test_a_living_owners_turn_is_left_alone_until_its_lease_runs_out(self) -> None:
        lease = left_behind("word1 ", by="elsewhere")
        (run_folder() / "elsewhere.lock").unlink()
        recover("me")
        assert turn_of(lease).owner == "elsewhere"
        Turn.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        recover("me")
        assert turn_of(lease).owner == "me"

    def test_a_process_never_settles_its_own(self) -> None:
        lease = left_behind("word1 ", by="me")
        Turn.objects.update(lease_until=timezone.now() - timedelta(hours=1))
        recover("me")
        assert turn_of(lease).epoch == lease.epoch

    def test_no_pointer_moves(self) -> None:
        """P8."""
        left_behind("word1 ")
        before = Conversation.objects.values_list("active_session_id", "active_entry_id").get()
        recover("me")
        assert Conversation.objects.values_list("active_session_id", "active_entry_id").get() == before
        assert verify().findings == ()

    def test_where_nobody_runs_agents_a_turn_ends_after_a_while(self) -> None:
        lease = left_behind("word1 ")
        end_abandoned("server")
        assert turn_of(lease).is_running
        Turn.objects.update(lease_until=timezone.now() - timedelta(seconds=ABANDONED_SECONDS + 1))
        end_abandoned("server")
        assert turn_of(lease).state == TurnState.INTERRUPTED


@pytest.mark.parametrize("cut", [0, 1, 11, 57])
async def test_a_resumed_reply_ends_with_the_text_an_unbroken_one_has(live: Live, cut: int) -> None:
    text = expected_text(QUESTION)
    lease = await write(left_behind, *([text[:cut]] if cut else []))
    live.runtime.supervisor.wake()
    reply = await _sealed(lease)
    assert words(reply) == text
    assert [mark["kind"] for mark in reply.folded["marks"]] == ["resumed"]
    assert [message.pk for message in await read(_history)] == [reply.pk - 1, reply.pk]
    await live.is_whole()


async def test_a_resumed_reply_calls_an_idempotent_tool_again(live: Live) -> None:
    lease = await write(_left_in_a_tool)
    reply = await _sealed(lease)
    [result] = [part for part in reply.folded["parts"] if part["kind"] == "tool_result"]
    assert result["status"] == "ok"
    assert words(reply)


def _left_in_a_tool() -> Lease:
    lease = left_behind(question="tool time, at 0/s")
    append_events(lease, ("tool_call", {"id": "call-1", "name": "time", "arguments": "{}"}))
    return lease


async def _sealed(lease: Lease) -> Message:
    async def look() -> Message | None:
        reply = await read(Message.objects.get, pk=lease.message_id)
        return reply if reply.is_sealed else None

    found: Message = await eventually(look)
    return found


def _history() -> list[Message]:
    return history(Conversation.objects.get().active_session)
