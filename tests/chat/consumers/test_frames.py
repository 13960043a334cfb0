"""Frames that are none are answered, and the socket lives on; a flood is cut off."""

from __future__ import annotations

import pytest

from chat import wire
from tests.chat.live import Live
from tests.chat.sockets import tab_of


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "no json",
        "[]",
        "null",
        "{}",
        '{"type": 5}',
        '{"type": "unknown"}',
        '{"type": "subscribe"}',
        '{"type": "subscribe", "session": "x", "after": 0}',
        '{"type": "subscribe", "session": "00000000-0000-0000-0000-000000000000", "after": -1}',
        '{"type": "subscribe", "session": "00000000-0000-0000-0000-000000000000", "after": true}',
        '{"type": "post", "conversation": null}',
        '{"type": "post", "conversation": [], "text": {}}',
        '{"type": "ack", "session": 5, "seq": 1}',
        '{"type": "ack", "session": "x", "seq": 1e400}',
        '{"type": "stop", "turn": {"a": 1}}',
        "[" * 20_000,
        '{"type": "post", "text": "\\ud800"}',
    ],
)
async def test_a_broken_frame_is_answered_and_the_socket_lives_on(live: Live, text: str) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.send_text(text)
        assert (await tab.receive())["type"] == "error"
        assert (await tab.ask("ping"))["type"] == "pong"


async def test_bytes_are_answered_like_any_broken_frame(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.send_bytes(b"\x00\xff")
        assert (await tab.receive())["code"] == "invalid"


async def test_a_flood_is_slowed_down_and_then_cut_off(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        for _ in range(200):
            await tab.send("unsubscribe")
        assert await tab.closed() == wire.TOO_MANY
        slow = [frame for frame in tab.frames if frame.get("code") == "too_fast"]
        assert slow[0]["facts"]["retry_after_seconds"] > 0


@pytest.mark.parametrize("kind", ["ping", "ack"])
async def test_small_talk_has_its_limit_too(live: Live, kind: str) -> None:
    async with tab_of(live.cast.alice) as tab:
        for _ in range(4_000):
            await tab.send(kind, session="x", seq=1)
        assert await tab.closed() == wire.TOO_MANY


@pytest.mark.parametrize("written", [r'"\ud800"', r'"\u0000"', "7", "[]", f'"{"x" * 101}"'])
async def test_an_id_that_cannot_be_sent_back_is_left_out_of_the_answer(live: Live, written: str) -> None:
    async with tab_of(live.cast.alice) as tab:
        await tab.send_text(f'{{"type": "ping", "id": {written}}}')
        pong = await tab.receive()
        assert (pong["type"], pong["re"]) == ("pong", None)
