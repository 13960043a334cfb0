"""Restores and undos through the API: once for each key, of what was expected, with the whole history."""

from __future__ import annotations

import asyncio

from chat.database_threads import read
from sessions_app.models import AuditEntry
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.control import HERE, RESTORES, UNDOS, refusal, reset, say, state
from tests.chat.live import Live


async def test_a_session_is_restored_once_for_each_key(live: Live, alice: Caller) -> None:
    await say(alice, "echo precious")
    whole, old = await state(live), (await reset(alice)).json["old_session"]
    wish = {"session": old, "expected_session": (await state(live))["active"], "reason": "needed"}
    answers = [await alice.post(RESTORES, wish, Idempotency_Key="k") for _ in range(2)]
    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].json == answers[1].json
    assert (answers[0].json["action"], answers[0].json["reason"]) == ("restore_session", "needed")
    after = await state(live)
    assert {name: after[name] for name in ("active", "digest", "messages")} == {
        name: whole[name] for name in ("active", "digest", "messages")
    }
    assert await read(AuditEntry.objects.filter(action="restore_session").count) == 1
    assert refusal(await alice.post(RESTORES, {"session": old})) == (409, "already_active")
    await live.is_whole()


async def test_a_key_of_one_move_is_refused_for_another(live: Live, alice: Caller) -> None:
    done = await reset(alice)
    await alice.post(RESTORES, {"session": done.json["old_session"]}, Idempotency_Key="k")
    before = await state(live)
    other = await alice.post(RESTORES, {"session": done.json["new_session"]}, Idempotency_Key="k")
    assert refusal(other) == (409, "idempotency_key_reused")
    assert await state(live) == before


async def test_a_restore_that_expects_a_session_somebody_moved_on_from_is_refused(
    live: Live, alice: Caller
) -> None:
    first = (await reset(alice)).json
    await reset(alice)
    before = await state(live)
    wish = {"session": first["old_session"], "expected_session": first["new_session"]}
    assert refusal(await alice.post(RESTORES, wish)) == (409, "session_changed")
    assert await state(live) == before


async def test_of_two_who_restore_different_sessions_at_once_one_is_told(live: Live, alice: Caller) -> None:
    one = (await reset(alice)).json["old_session"]
    other = (await reset(alice)).json["old_session"]
    active, mia = (await state(live))["active"], await caller_of(live.cast.mia)
    wishes = [{"session": session, "expected_session": active} for session in (one, other)]
    answers = await asyncio.gather(alice.post(RESTORES, wishes[0]), mia.post(RESTORES, wishes[1]))
    assert sorted(answer.status for answer in answers) == [201, 409]
    assert {answer.json["code"] for answer in answers if answer.status == 409} == {"session_changed"}
    assert await read(AuditEntry.objects.filter(action="restore_session").count) == 1
    await live.is_whole()


async def test_a_checkpoint_is_restored_to_a_session_with_its_history(live: Live, alice: Caller) -> None:
    await say(alice, "echo before")
    marked = await state(live)
    taken = (await alice.post(f"{HERE}/checkpoints", {"name": "Decision"})).json
    await say(alice, "echo after")
    done = await alice.post(RESTORES, {"checkpoint": taken["id"]})
    after = await state(live)
    assert (done.status, done.json["action"]) == (201, "restore_checkpoint")
    assert (after["digest"], after["messages"]) == (marked["digest"], 2)
    assert after["active"] == done.json["new_session"] != marked["active"]
    await live.is_whole()


async def test_a_restore_names_one_thing_of_this_conversation(live: Live, alice: Caller) -> None:
    before, nowhere = await state(live), str(live.cast.team.public_id)
    for wish in ({}, {"session": nowhere, "checkpoint": nowhere}, {"session": nowhere}):
        assert refusal(await alice.post(RESTORES, wish)) == (400, "invalid")
    assert refusal(await alice.post(RESTORES, {"checkpoint": nowhere})) == (404, "not_found")
    assert await state(live) == before


async def test_the_newest_move_is_undone_and_the_undo_too(live: Live, alice: Caller) -> None:
    await say(alice, "echo precious")
    whole, done = await state(live), (await reset(alice)).json
    undone = [await alice.post(UNDOS, {"entry": done["number"]}, Idempotency_Key="k") for _ in range(2)]
    assert [answer.status for answer in undone] == [201, 201]
    assert undone[0].json == undone[1].json
    assert ((await state(live))["active"], (await state(live))["digest"]) == (
        whole["active"],
        whole["digest"],
    )
    assert refusal(await alice.post(UNDOS, {"entry": done["number"]})) == (409, "nothing_to_undo")
    again = await alice.post(UNDOS, {"entry": undone[0].json["number"]})
    assert (again.status, (await state(live))["active"]) == (201, done["new_session"])
    assert refusal(await alice.post(UNDOS, {"entry": 4000})) == (404, "not_found")
    await live.is_whole()
