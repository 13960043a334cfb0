"""What a person does through the socket: each frame is answered, and twice is once."""

from __future__ import annotations

import asyncio

import pytest

from chat.broadcast.announcing import announce
from chat.database_threads import read, write
from sessions_app.models import (
    Conversation,
    Message,
    Turn,
)
from sessions_app.services.reset import reset_conversation
from tests.chat.live import Live
from tests.chat.sockets import Frame, message_to, tab_of
from tests.sessions_app.conftest import PAGE


async def test_twenty_retries_make_one_message_and_one_turn(live: Live) -> None:
    """F15 and P5, through several tabs at once."""
    message = message_to(live.cast.conversation, "echo once")
    async with tab_of(live.cast.alice) as first, tab_of(live.cast.alice) as second:
        answers: list[Frame] = []
        for _ in range(10):
            answers += await asyncio.gather(first.ask("post", **message), second.ask("post", **message))
    assert {answer["type"] for answer in answers} == {"posted"}
    assert len({answer["message"] for answer in answers}) == 1
    assert sum(answer["is_new"] for answer in answers) == 1
    assert await read(Turn.objects.count) == 1


async def test_a_second_summary_is_refused_while_the_first_is_made(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        await live.ended(await live.say("echo something to sum up"))
        wanted = {"conversation": str(live.cast.conversation.public_id)}
        first, second = await tab.send("compact", **wanted), await tab.send("compact", **wanted)
        answers = [await tab.wait_for(lambda frame: frame.get("re") in (first, second)) for _ in range(2)]
    found = {answer["re"]: answer for answer in answers}
    assert found[first]["type"] == "done"
    assert (found[second]["type"], found[second]["code"]) == ("error", "conflict")


async def test_the_same_id_with_another_text_is_refused(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        message = message_to(live.cast.conversation, "echo once")
        await tab.ask("post", **message)
        error = await tab.ask("post", **{**message, "text": "echo twice"})
        assert (error["type"], error["code"]) == ("error", "client_id_reused")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "message_empty"),
        ("  \n", "message_empty"),
        ("x" * 65_537, "message_too_long"),
        ("/new", "command_in_message"),
        ("／Reset now", "command_in_message"),  # noqa: RUF001 - a full-width slash
    ],
)
async def test_what_cannot_be_sent_is_refused_with_a_sentence(live: Live, text: str, code: str) -> None:
    async with tab_of(live.cast.alice) as tab:
        error = await tab.ask("post", **message_to(live.cast.conversation, text))
        assert (error["type"], error["code"]) == ("error", code)
        assert error["sentence"]
    assert await read(Message.objects.count) == 0


async def test_a_message_for_a_session_that_is_gone_is_refused_and_names_the_active_one(live: Live) -> None:
    conversation = live.cast.conversation
    old = str(conversation.active_session.public_id)
    await write(_reset, live)
    async with tab_of(live.cast.alice) as tab:
        error = await tab.ask("post", **{**message_to(conversation, "hello"), "session": old})
        assert error["code"] == "session_changed"
        now = await read(Conversation.objects.select_related("active_session").get, pk=conversation.pk)
        assert error["facts"]["active_session"] == str(now.active_session.public_id)


async def test_the_end_of_a_session_names_its_successor(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.subscribe(live.cast.conversation)
        await write(_reset, live)
        await tab.wait_for(lambda frame: any(e["kind"] == "archived" for e in frame.get("events", ())))
        successor = tab.events[-1]["payload"]["successor"]["id"]
        subscribed = await tab.ask("subscribe", session=successor, after=0)
        assert subscribed["active"] is True


async def test_stop_and_withdraw_are_answered_and_can_be_repeated(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.subscribe(live.cast.conversation)
        running = await tab.ask("post", **message_to(live.cast.conversation, "tokens 50000 at 100/s"))
        waiting = await tab.ask("post", **message_to(live.cast.conversation, "echo later"))
        await tab.wait_for(lambda frame: tab.text)
        for _ in range(2):
            assert (await tab.ask("withdraw", turn=waiting["turn"]))["type"] == "done"
            assert (await tab.ask("stop", turn=running["turn"]))["type"] == "done"
        states = await read(_states)
        assert states == ["stopped", "withdrawn"]


async def test_a_broken_off_reply_can_be_continued_and_made_again(live: Live) -> None:
    reply = await live.reply_to(await live.say("tokens 30 at 0/s; cut after 10"))
    async with tab_of(live.cast.alice) as tab:
        await tab.subscribe(live.cast.conversation)
        assert (await tab.ask("continue", message=str(reply.public_id)))["type"] == "queued"
        await tab.wait_for(lambda frame: any(e["kind"] == "turn_started" for e in frame.get("events", ())))
        await tab.until_sealed()
        assert (await tab.ask("regenerate", message=str(reply.public_id)))["code"] == "reply_not_last"


def _states() -> list[str]:
    return list(Turn.objects.order_by("pk").values_list("state", flat=True))


def _reset(live: Live) -> None:
    conversation = Conversation.objects.get(pk=live.cast.conversation.pk)
    reset_conversation(
        conversation, by=live.cast.alice, expected_session=conversation.active_session, origin=PAGE
    )
    announce(conversation)
