"""Following a session through the socket: everything once, in order, the same for everybody."""

from __future__ import annotations

import asyncio
import json

from chat import wire
from chat.database_threads import read
from chat.providers.demo import expected_text
from sessions_app.models import (
    Conversation,
    SessionEvent,
)
from tests.chat.live import Live
from tests.chat.sockets import Frame, message_to, tab_of


async def test_a_tab_is_greeted_and_told_the_limits(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        [hello] = tab.frames
        assert hello["protocol"] == wire.PROTOCOL
        assert hello["user"] == {"id": str(live.cast.alice.public_id), "name": "alice"}
        assert hello["message_bytes"] == 65536


async def test_an_answer_arrives_whole_in_order_and_once(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.subscribe(live.cast.conversation)
        posted = await tab.ask("post", **message_to(live.cast.conversation, "tokens 60 at 200/s"))
        assert (posted["type"], posted["is_new"]) == ("posted", True)
        await tab.until_sealed()
        assert tab.text == expected_text("tokens 60 at 200/s")
        seqs = [event["seq"] for event in tab.events]
        assert seqs == list(range(1, len(seqs) + 1))
        assert await read(_log, live.cast.conversation) == [_essence(event) for event in tab.events]


async def test_everybody_in_the_conversation_sees_the_same(live: Live) -> None:
    async with tab_of(live.cast.alice) as alice, tab_of(live.cast.vera) as vera:
        await alice.subscribe(live.cast.conversation)
        await vera.subscribe(live.cast.conversation)
        await alice.ask("post", **message_to(live.cast.conversation, "tokens 40 at 200/s"))
        await asyncio.gather(alice.until_sealed(), vera.until_sealed())
        assert alice.events == vera.events


async def test_who_comes_back_with_a_cursor_gets_exactly_the_rest(live: Live) -> None:
    async with tab_of(live.cast.alice) as first:
        await first.subscribe(live.cast.conversation)
        question = "tokens 300 at 300/s; hang after 290"
        posted = await first.ask("post", **message_to(live.cast.conversation, question))
        await first.wait_for(lambda frame: len(first.text) > 100)
        cursor = first.events[-1]["seq"]
    async with tab_of(live.cast.alice) as second:
        await second.subscribe(live.cast.conversation, after=cursor)
        while not (first.text + second.text).endswith("word290"):
            await second.receive()
        await second.send("stop", turn=posted["turn"])
        await second.until_sealed()
    assert second.events[0]["seq"] == cursor + 1
    assert first.text + second.text == expected_text(question)


async def test_catching_up_is_announced_once_with_the_end_it_was_promised(live: Live) -> None:
    await live.ended(await live.say("echo before"))
    async with tab_of(live.cast.alice) as tab:
        subscribed = await tab.subscribe(live.cast.conversation)
        caught_up = await tab.wait_for(lambda frame: frame["type"] == "caught_up")
        assert caught_up["seq"] == subscribed["as_of"] == tab.events[-1]["seq"]


def _essence(event: Frame) -> tuple[int, str, object]:
    return event["seq"], event["kind"], event["payload"]


def _log(conversation: Conversation) -> list[tuple[int, str, object]]:
    events = SessionEvent.objects.filter(session=conversation.active_session).order_by("seq")
    return [(event.seq, event.kind, json.loads(event.payload)) for event in events]
