"""Claiming, stopping, queueing, handing on: what happens around a turn."""

from __future__ import annotations

import asyncio

from django.db import transaction

from chat.broadcast.announcing import announce
from chat.database_threads import read, write
from chat.providers.demo import expected_text
from sessions_app.models import Agent, Answers, Conversation, Message, Turn, TurnState
from sessions_app.services.conversations import change_settings, start_conversation
from sessions_app.services.ending import stop_turn
from sessions_app.services.folding import fold
from sessions_app.services.log import message_events
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transcript import Posted, post_message
from sessions_app.services.turn_lease import claim_turn
from sessions_app.services.withdraw import withdraw_turn
from tests.chat.live import Live, eventually, words
from tests.sessions_app.conftest import PAGE


async def running(live: Live, posted: Posted) -> Turn:
    async def look() -> Turn | None:
        turn = await live.turn_of(posted)
        return turn if turn.is_running and await read(_has_words, turn) else None

    found: Turn = await eventually(look)
    return found


def _has_words(turn: Turn) -> bool:
    assert turn.reply is not None
    return bool(fold(message_events(turn.reply))["parts"])


async def test_stopping_keeps_the_text_and_lets_nothing_follow(live: Live) -> None:
    turn = await running(live, await live.say("tokens 5000 at 100/s"))
    await write(stop_turn, turn, by=live.cast.mia)
    stopped = await read(Turn.objects.select_related("reply").get, pk=turn.pk)
    assert stopped.state == TurnState.STOPPED
    kept = words(stopped.reply)  # type: ignore[arg-type]
    assert kept
    assert expected_text("tokens 5000 at 100/s").startswith(kept)
    # The runner notices by itself: the next message is answered at once, by the same process.
    await live.ended(await live.say("echo next"))
    assert words(await read(Message.objects.get, pk=stopped.reply_id)) == kept
    await live.is_whole()


async def test_a_silent_agent_can_be_stopped_too(live: Live) -> None:
    posted = await live.say("tokens 5 at 0/s; hang after 5")
    turn = await running(live, posted)
    await write(stop_turn, turn, by=live.cast.alice)
    announce(await read(_placed, live.cast.conversation))
    assert (await live.ended(await live.say("echo next"))).state == TurnState.COMPLETED


async def test_sends_queue_in_commit_order_and_one_can_be_withdrawn(live: Live) -> None:
    first = await live.say("tokens 9 at 0/s; hang after 5")
    second = await live.say("echo second", by=live.cast.mia)
    third = await live.say("echo third")
    assert second.turn is not None
    await write(withdraw_turn, second.turn, by=live.cast.mia)
    await write(stop_turn, await running(live, first), by=live.cast.alice)
    assert (await live.ended(third)).state == TurnState.COMPLETED
    turns = [await live.turn_of(posted) for posted in (first, second, third)]
    assert [turn.state for turn in turns] == ["stopped", "withdrawn", "completed"]
    assert turns[1].reply is None
    await live.is_whole()


async def test_an_agent_that_answers_when_mentioned_is_silent_otherwise(live: Live) -> None:
    await write(change_settings, live.cast.conversation, by=live.cast.alice, answers=Answers.MENTIONED)
    assert (await live.say("echo nobody asked")).turn is None
    assert (await live.ended(await live.say("@demo echo you there"))).state == TurnState.COMPLETED


async def test_several_conversations_are_answered_at_once(live: Live) -> None:
    others = [await write(_another, live, number) for number in range(5)]
    posted = [await live.say(f"tokens {50 + number} at 100/s", to=to) for number, to in enumerate(others)]
    replies = await asyncio.gather(*(live.reply_to(one) for one in posted))
    for number, reply in enumerate(replies):
        assert words(reply) == expected_text(f"tokens {50 + number} at 100/s")
    await live.is_whole()


async def test_a_reset_ends_the_turn_and_its_text_stays_in_the_archived_session(live: Live) -> None:
    turn = await running(live, await live.say("tokens 5000 at 100/s"))
    await write(
        reset_conversation,
        live.cast.conversation,
        by=live.cast.alice,
        expected_session=turn.session,
        origin=PAGE,
    )
    ended = await read(Turn.objects.select_related("reply").get, pk=turn.pk)
    assert ended.state == TurnState.STOPPED
    assert words(ended.reply)  # type: ignore[arg-type]
    assert (await live.ended(await live.say("echo fresh"))).state == TurnState.COMPLETED
    await live.is_whole()


async def test_a_failed_reply_is_gone_on_with_after_its_exact_text(live: Live) -> None:
    failed = await live.reply_to(await live.say("tokens 50 at 0/s; cut after 20"))
    turn = await write(continue_reply, failed, by=live.cast.alice)
    announce(await read(_placed, live.cast.conversation))
    rest = await eventually(lambda: _sealed_reply(turn))
    assert rest.continues_id == failed.pk
    assert words(failed) + words(rest) == expected_text("tokens 50 at 0/s")


async def test_another_version_of_a_reply_is_made_beside_the_old_one(live: Live) -> None:
    old = await live.reply_to(await live.say("echo something"))
    turn = await write(regenerate_reply, old, by=live.cast.alice)
    announce(await read(_placed, live.cast.conversation))
    new = await eventually(lambda: _sealed_reply(turn))
    assert new.supersedes_id == old.pk
    assert words(new) == words(old) == "something"


async def test_what_this_process_owns_without_knowing_is_taken_up(live: Live) -> None:
    """The database's answer to a claim can be lost on its way; the turn is ours all the same."""
    posted = await write(_claimed_behind_its_back, live)
    assert (await live.ended(posted)).state == TurnState.COMPLETED


async def test_a_conversation_gets_a_title_after_its_first_exchange(live: Live) -> None:
    untitled = await write(_another, live, 7)
    await live.ended(await live.say("echo kelp forests grow fast", to=untitled))

    async def title() -> str | None:
        found = await read(Conversation.objects.get, pk=untitled.pk)
        return None if found.title == untitled.title else found.title

    assert await eventually(title)
    assert not (await read(Conversation.objects.get, pk=untitled.pk)).title_is_manual


async def test_a_title_a_person_chose_stays(live: Live) -> None:
    await live.ended(await live.say("echo kelp"))
    await live.ended(await live.say("echo again"))
    assert (await read(Conversation.objects.get, pk=live.cast.conversation.pk)).title == "General"


async def _sealed_reply(turn: Turn) -> Message | None:
    found = await read(Turn.objects.select_related("reply").get, pk=turn.pk)
    return found.reply if found.reply is not None and found.reply.is_sealed else None


def _placed(conversation: Conversation) -> Conversation:
    return Conversation.objects.select_related("workspace").get(pk=conversation.pk)


def _another(live: Live, number: int) -> Conversation:
    cast = live.cast
    agent = Agent.objects.get(pk=cast.agent.pk)
    return start_conversation(cast.team, by=cast.alice, key=f"other:{number}", agent=agent)


def _claimed_behind_its_back(live: Live) -> Posted:
    with transaction.atomic():
        posted = post_message(live.cast.conversation, by=live.cast.alice, text="echo found", client_id="1")
        assert posted.turn is not None
        claim_turn(posted.turn, owner=live.runtime.owner.name)
    return posted
