"""Resets through the API: looked at first, confirmed, done once, and refused whole."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from chat.database_threads import read, write
from chat.models import Scope
from sessions_app.models import AuditEntry, User
from sessions_app.services.confirmation import GOOD_FOR_SECONDS
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.control import HERE, RESETS, RESTORES, UNDOS, looked, refusal, reset, say, state
from tests.chat.live import Live


async def test_a_look_says_what_would_be_archived_and_changes_nothing(live: Live, alice: Caller) -> None:
    await say(alice, "echo hello")
    before = await state(live)
    seen = (await alice.get(f"{RESETS}/preview")).json
    assert (seen["key"], seen["session"]["id"], seen["messages"]) == ("team:general", before["active"], 2)
    assert seen["found_in"] == "the history of team:general, as session 1"
    assert seen["good_for_seconds"] == 300
    assert await state(live) == before


async def test_a_confirmed_reset_archives_what_was_looked_at_and_leaves_its_entry(
    live: Live, alice: Caller
) -> None:
    await say(alice, "echo hello")
    before = await state(live)
    done = await alice.post(RESETS, {**await looked(alice), "reason": "a new topic"})
    after = await state(live)
    assert done.status == 201
    assert (done.json["old_session"], done.json["new_session"]) == (before["active"], after["active"])
    assert (done.json["action"], done.json["trigger"], done.json["reason"]) == (
        "reset",
        "rest",
        "a new topic",
    )
    assert (done.json["actor"], after["messages"]) == (str(live.cast.alice.public_id), 0)
    entry = await read(AuditEntry.objects.get, action="reset")
    assert (entry.number, entry.actor_id) == (done.json["number"], live.cast.alice.pk)
    await live.is_whole()


async def test_a_replay_gives_the_same_answer_and_one_entry(live: Live, alice: Caller) -> None:
    wish = await looked(alice)
    answers = await asyncio.gather(*[alice.post(RESETS, wish, Idempotency_Key="k") for _ in range(10)])
    assert {answer.status for answer in answers} == {201}
    assert all(answer.json == answers[0].json for answer in answers)
    assert await read(AuditEntry.objects.filter(action="reset").count) == 1
    assert (await state(live))["sessions"] == 2


async def test_of_two_looks_at_one_session_the_second_comes_too_late(live: Live, alice: Caller) -> None:
    first, second = await looked(alice), await looked(await caller_of(live.cast.mia))
    assert (await alice.post(RESETS, first)).status == 201
    before = await state(live)
    late = await (await caller_of(live.cast.mia)).post(RESETS, second)
    assert refusal(late) == (409, "session_changed")
    assert late.json["facts"]["active_session"] == before["active"]
    assert await state(live) == before


async def test_a_confirmation_and_another_session_than_it_was_for_do_not_go_together(
    live: Live, alice: Caller
) -> None:
    old = (await reset(alice)).json["old_session"]
    before = await state(live)
    refused = await alice.post(RESETS, {**await looked(alice), "expected_session": old})
    assert refusal(refused) == (409, "session_changed")
    assert await state(live) == before


@pytest.mark.parametrize("missing", ["confirmation", "expected_session"])
async def test_a_reset_names_what_it_lacks(live: Live, alice: Caller, missing: str) -> None:
    wish, before = await looked(alice), await state(live)
    del wish[missing]
    refused = await alice.post(RESETS, wish)
    assert (refused.status, refused.json["errors"][0]["field"]) == (400, missing)
    assert await state(live) == before


async def test_a_confirmation_is_good_for_nobody_else_and_not_when_it_was_altered(
    live: Live, alice: Caller
) -> None:
    wish, before, mia = await looked(alice), await state(live), await caller_of(live.cast.mia)
    assert refusal(await mia.post(RESETS, wish)) == (400, "confirmation_invalid")
    wish["confirmation"] += "x"
    assert refusal(await alice.post(RESETS, wish)) == (400, "confirmation_invalid")
    assert await state(live) == before


async def test_a_confirmation_ends_after_five_minutes(
    live: Live, alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await state(live)
    now = time.time()
    with monkeypatch.context() as past:
        past.setattr(time, "time", lambda: now - GOOD_FOR_SECONDS - 1)
        wish = await looked(alice)
    assert refusal(await alice.post(RESETS, wish)) == (409, "confirmation_expired")
    assert await state(live) == before


@pytest.mark.parametrize("text", ["/new", "/reset", "/NEW", "/Reset now", " \uff0fnew", "/reset\nplease"])
async def test_a_command_in_a_message_is_refused_and_told_the_right_call(
    live: Live, alice: Caller, text: str
) -> None:
    await say(alice, "echo hello")
    before = await state(live)
    refused = await alice.post(f"{HERE}/messages", {"text": text})
    assert refusal(refused) == (400, "command_in_message")
    assert "POST to its resets" in refused.json["detail"]
    assert await state(live) == before


async def test_who_may_not_move_it_writes_nothing(live: Live, alice: Caller) -> None:
    done, wish = (await reset(alice)).json, await looked(alice)
    taken = (await alice.post(f"{HERE}/checkpoints", {"name": "Decision"})).json
    before = await state(live)
    moves: list[tuple[str, dict[str, Any]]] = [
        (RESTORES, {"session": done["old_session"]}),
        (RESTORES, {"checkpoint": taken["id"]}),
        (UNDOS, {"entry": done["number"]}),
    ]
    vera, bob = await caller_of(live.cast.vera), await caller_of(live.cast.bob)
    writer = await caller_of(live.cast.alice, Scope.WRITE)
    for caller, status, code in (
        (vera, 403, "not_allowed"),
        (bob, 404, "not_found"),
        (writer, 403, "insufficient_scope"),
        (Caller(None), 401, "not_signed_in"),
    ):
        for path, body in moves:
            assert refusal(await caller.post(path, body)) == (status, code)
    assert refusal(await vera.post(RESETS, wish)) == (400, "confirmation_invalid")
    assert refusal(await bob.post(RESETS, wish)) == (404, "not_found")
    assert refusal(await writer.post(RESETS, wish)) == (403, "insufficient_scope")
    assert refusal(await vera.get(f"{RESETS}/preview")) == (403, "not_allowed")
    assert refusal(await bob.get(f"{RESETS}/preview")) == (404, "not_found")
    assert await state(live) == before


async def test_a_confirmation_does_not_outlive_the_role_it_was_given_to(live: Live, alice: Caller) -> None:
    mia = await caller_of(live.cast.mia)
    wish, before = await looked(mia), await state(live)
    await write(_becomes_viewer, live.cast.mia)
    assert refusal(await mia.post(RESETS, wish)) == (403, "not_allowed")
    assert await state(live) == before


def _becomes_viewer(user: User) -> None:
    user.memberships.update(role="viewer")
