"""The log of a session through the API: pages, long polls and streams give each event once, and stop in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from chat.api import event_stream as module
from chat.api.event_stream import event_stream
from chat.database_threads import read, write
from chat.models import ApiToken
from chat.tokens import revoke_token
from sessions_app.models import Membership, Session
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.control import refusal, reset
from tests.chat.live import PATIENCE_SECONDS, Live


def address(live: Live) -> str:
    return f"sessions/{live.cast.conversation.active_session.public_id}/events"


async def session_of(live: Live) -> Session:
    return await read(
        Session.objects.select_related("conversation").get, pk=live.cast.conversation.active_session_id
    )


class Stream:
    """What a client has received of an event stream."""

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        self._parts = aiter(parts)
        self.events: list[dict[str, Any]] = []
        self.lost = ""

    async def until(self, kind: str) -> None:
        while not any(event["kind"] == kind for event in self.events):
            self._take(await asyncio.wait_for(anext(self._parts), PATIENCE_SECONDS))

    async def ended(self) -> None:
        """Until it ends by itself."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for part in self._parts:
                self._take(part)

    async def close(self) -> None:
        await self._parts.aclose()  # type: ignore[attr-defined]

    def _take(self, part: bytes) -> None:
        lines = part.decode().splitlines()
        told = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
        if "event: access_lost" in lines:
            self.lost = told.pop()["why"]
        self.events += told

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for event in self.events]


async def test_pages_give_every_event_once(live: Live, alice: Caller) -> None:
    await live.ended(await live.say("echo one two three"))
    seqs, after = [], 0
    while items := (await alice.get(f"{address(live)}?after={after}&limit=3")).json["items"]:
        seqs += [item["seq"] for item in items]
        after = seqs[-1]
    assert seqs == list(range(1, (await session_of(live)).last_seq + 1))


async def test_a_long_poll_returns_with_the_next_event(live: Live, alice: Caller) -> None:
    last = (await session_of(live)).last_seq
    poll = asyncio.create_task(alice.get(f"{address(live)}?after={last}&wait=20"))
    await asyncio.sleep(0.1)
    assert not poll.done()
    await live.say("echo hello")
    items = (await poll).json["items"]
    assert (items[0]["seq"], items[0]["kind"]) == (last + 1, "message_posted")


async def test_a_long_poll_that_sees_nothing_ends_empty(live: Live, alice: Caller) -> None:
    last = (await session_of(live)).last_seq
    page = (await alice.get(f"{address(live)}?after={last}&wait=0.2")).json
    assert (page["items"], page["last"]) == ([], last)


async def test_a_stream_goes_on_live_and_resumes_by_its_last_id(live: Live, alice: Caller) -> None:
    answer = await alice.get(address(live), Accept="text/event-stream")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
    first = Stream(answer.response.streaming_content)
    await live.say("tokens 30 at 100/s")
    await first.until("text")
    await first.close()
    resumed = await alice.get(address(live), Accept="text/event-stream", Last_Event_ID=str(first.seqs[-1]))
    second = Stream(resumed.response.streaming_content)
    await second.until("sealed")
    await second.close()
    assert first.seqs + second.seqs == list(range(1, second.seqs[-1] + 1))


async def test_a_stream_ends_when_it_is_large_enough_and_nothing_is_missing(live: Live) -> None:
    await live.ended(await live.say("tokens 400 at 0/s"))
    session = await session_of(live)
    seqs: list[int] = []
    while not seqs or seqs[-1] < session.last_seq:
        stream = Stream(event_stream(session, after=seqs[-1] if seqs else 0, stands=lambda: None, largest=1))
        await stream.ended()
        seqs += stream.seqs
    assert seqs == list(range(1, session.last_seq + 1))


async def test_a_stream_until_a_turn_has_ended_ends_by_itself(live: Live, alice: Caller) -> None:
    turn = await live.turn_of(await live.say("tokens 30 at 100/s"))
    path = f"{address(live)}?until_turn={turn.public_id}"
    for _ in range(2):  # while it runs, and after it
        stream = Stream((await alice.get(path, Accept="text/event-stream")).response.streaming_content)
        await stream.ended()
        assert [event["kind"] for event in stream.events].count("turn_ended") == 1
        assert stream.seqs == list(range(1, stream.seqs[-1] + 1))
    last = str(stream.seqs[-1])
    rest = await alice.get(path, Accept="text/event-stream", Last_Event_ID=last)
    nothing = Stream(rest.response.streaming_content)
    await nothing.ended()
    assert nothing.events == []


async def test_a_stream_ends_with_no_turn_of_another_session(live: Live, alice: Caller) -> None:
    turn = await live.turn_of(await live.say("echo one"))
    await live.ended(await live.say("echo two"))
    new = (await reset(alice)).json["new_session"]
    path = f"sessions/{new}/events?until_turn={turn.public_id}"
    assert refusal(await alice.get(path, Accept="text/event-stream")) == (400, "invalid")


async def test_a_removed_member_is_sent_nothing_more(live: Live) -> None:
    mia = await caller_of(live.cast.mia)
    stream = Stream((await mia.get(address(live), Accept="text/event-stream")).response.streaming_content)
    await stream.until("made_active")
    await write(Membership.objects.filter(user=live.cast.mia).delete)
    await stream.ended()
    assert stream.lost == "not_a_member"
    assert module.LOOK_SECONDS <= 5


async def test_a_revoked_token_is_sent_nothing_more(live: Live, alice: Caller) -> None:
    stream = Stream((await alice.get(address(live), Accept="text/event-stream")).response.streaming_content)
    await stream.until("made_active")
    await write(revoke_token, await read(ApiToken.objects.get))
    await stream.ended()
    assert stream.lost == "token_ended"


async def test_nonsense_is_refused_with_a_sentence(live: Live, alice: Caller) -> None:
    for query in ("after=-1", "after=x", "after=99999999999999999999", "wait=-1", "wait=nan", "limit=0"):
        assert (await alice.get(f"{address(live)}?{query}")).status == 400, query
    assert (await alice.get(address(live), Last_Event_ID="x")).status == 400
