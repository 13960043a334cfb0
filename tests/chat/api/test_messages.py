"""Sending through the API: once however often it is tried, refused with a reason, waited for."""

from __future__ import annotations

import asyncio

from chat.database_threads import read
from sessions_app.models import Message, Turn
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live

POSTS = "conversations/team:general/messages"


async def test_a_message_is_sent_and_its_turn_is_queued(live: Live, alice: Caller) -> None:
    sent = await alice.post(POSTS, {"text": "echo hello"})
    assert sent.status == 201
    assert sent.json["message"]["text"] == "echo hello"
    assert sent.json["turn"]["question"] == sent.json["message"]["id"]
    assert sent.json["seq"] == sent.json["message"]["first_seq"]
    assert sent.json["is_new"] is True


async def test_waiting_gives_the_finished_reply_in_one_call(live: Live, alice: Caller) -> None:
    sent = await alice.post(f"{POSTS}?wait=20", {"text": "echo hello"})
    assert sent.json["turn"]["state"] == "completed"
    assert sent.json["reply"]["is_sealed"] is True
    assert sent.json["reply"]["text"]


async def test_waiting_again_with_the_same_key_gives_the_same_reply(live: Live, alice: Caller) -> None:
    wish = {"text": "tokens 20 at 40/s"}
    tries = [alice.post(f"{POSTS}?wait=20", wish, Idempotency_Key="k1") for _ in range(3)]
    during = await asyncio.gather(*tries)
    after = await alice.post(f"{POSTS}?wait=20", wish, Idempotency_Key="k1")
    assert [answer.status for answer in (*during, after)] == [201] * 4
    assert {answer.json["reply"]["id"] for answer in during} == {after.json["reply"]["id"]}


async def test_twenty_retries_at_once_are_one_message_and_one_turn(live: Live, alice: Caller) -> None:
    tries = [alice.post(POSTS, {"text": "echo once"}, Idempotency_Key="k1") for _ in range(20)]
    answers = await asyncio.gather(*tries)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json["message"]["id"] for answer in answers}) == 1
    assert [answer.json["is_new"] for answer in answers].count(True) == 1
    assert await read(Message.objects.filter(role="person").count) == 1
    assert await read(Turn.objects.count) == 1


async def test_a_key_with_another_text_is_refused(live: Live, alice: Caller) -> None:
    await alice.post(POSTS, {"text": "one"}, Idempotency_Key="k1")
    second = await alice.post(POSTS, {"text": "two"}, Idempotency_Key="k1")
    assert (second.status, second.json["code"]) == (409, "client_id_reused")
    assert second.headers["Content-Type"] == "application/problem+json"


async def test_a_command_is_refused_and_nothing_is_stripped(live: Live, alice: Caller) -> None:
    refused = await alice.post(POSTS, {"text": "/new please"})
    assert (refused.status, refused.json["code"]) == (400, "command_in_message")
    assert await read(Message.objects.count) == 0


async def test_a_missing_field_is_named(live: Live, alice: Caller) -> None:
    refused = await alice.post(POSTS, {})
    assert refused.status == 400
    assert refused.json["errors"][0]["field"] == "text"


async def test_odd_text_is_stored_or_visibly_replaced(live: Live, alice: Caller) -> None:
    sent = await alice.post(POSTS, {"text": "a\x00b\ud800c"})
    assert sent.json["message"]["text"] == "a\u2400b\ufffdc"


async def test_a_message_meant_for_another_session_is_refused(live: Live, alice: Caller) -> None:
    old = str(live.cast.conversation.active_session.public_id)
    preview = await alice.get("conversations/team:general/resets/preview")
    wish = {"confirmation": preview.json["confirmation"], "expected_session": old}
    assert (await alice.post("conversations/team:general/resets", wish)).status == 201
    late = await alice.post(POSTS, {"text": "late", "session": old})
    assert (late.status, late.json["code"]) == (409, "session_changed")
    assert late.json["facts"]["active_session"] != old


async def test_a_viewer_reads_and_does_not_write(live: Live) -> None:
    vera = await caller_of(live.cast.vera)
    assert (await vera.get(POSTS)).status == 200
    refused = await vera.post(POSTS, {"text": "echo hello"})
    assert (refused.status, refused.json["code"]) == (403, "not_allowed")


async def test_a_page_that_is_known_is_not_sent_again(live: Live, alice: Caller) -> None:
    await alice.post(f"{POSTS}?wait=20", {"text": "echo hello"})
    first = await alice.get(POSTS)
    again = await alice.get(POSTS, If_None_Match=first.headers["ETag"])
    assert (again.status, again.response.content) == (304, b"")


async def test_pages_go_both_ways(live: Live, alice: Caller) -> None:
    for number in range(4):
        await alice.post(f"{POSTS}?wait=20", {"text": f"echo {number}"})
    newest = (await alice.get(f"{POSTS}?limit=3")).json
    older = (await alice.get(f"{POSTS}?limit=3&before={newest['before']}")).json
    back = (await alice.get(f"{POSTS}?limit=3&after={older['after']}")).json
    assert [item["id"] for item in back["items"]] == [item["id"] for item in newest["items"]]
    assert newest["after"] is None
    assert len({item["id"] for item in [*older["items"], *newest["items"]]}) == 6


async def test_a_message_can_be_edited_and_forked_before(live: Live, alice: Caller) -> None:
    sent = (await alice.post(f"{POSTS}?wait=20", {"text": "echo first"})).json
    edited = await alice.post(f"messages/{sent['message']['id']}/edits", {"text": "echo better"})
    assert (edited.status, edited.json["message"]["text"]) == (201, "echo better")
    assert edited.json["session"] != sent["session"]
    forked = await alice.post(f"messages/{edited.json['message']['id']}/forks", {"reason": "again"})
    assert (forked.status, forked.json["action"], forked.json["trigger"]) == (201, "fork", "rest")
    await live.is_whole()


async def test_one_message_that_is_known_is_not_sent_again(live: Live, alice: Caller) -> None:
    sent = await alice.post(f"{POSTS}?wait=20", {"text": "echo hello"})
    path = f"messages/{sent.json['message']['id']}"
    first = await alice.get(path)
    again = await alice.get(path, If_None_Match=first.headers["ETag"])
    assert (first.status, again.status, again.json) == (200, 304, None)
