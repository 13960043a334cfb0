"""A conversation as a file, and back: what a script sends and gets."""

from __future__ import annotations

import json

from asgiref.sync import async_to_sync
from django.test import override_settings

from chat.database_threads import close_threads, read, write
from sessions_app.models import AuditEntry, Conversation, User
from sessions_app.services.ending import stop_turn
from sessions_app.services.sharing import change_openness
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live
from tests.sessions_app.services.transfer.acting import exported, without_header
from tests.sessions_app.services.transfer.conftest import Elsewhere, elsewhere, scene
from tests.sessions_app.services.transfer.scene import Scene

__all__ = ["elsewhere", "scene"]

EXPORTS = "conversations/team:general/exports"
IMPORTS = "imports?workspace=kelp"


async def file_of(caller: Caller, form: str) -> bytes:
    response = await caller.fetch(f"/api/v1/{EXPORTS}", "POST", {"form": form})
    assert response.status_code == 200
    return b"".join([piece async for piece in response.streaming_content])


async def test_a_file_of_each_form(live: Live, alice: Caller) -> None:
    await live.reply_to(await live.say("echo hello"))
    whole = await file_of(alice, "jsonl")
    assert without_header(whole) == without_header(await write(exported, live.cast.conversation))
    assert len(json.loads(await file_of(alice, "json"))["records"]) == whole.count(b"\n")
    assert (await file_of(alice, "markdown")).startswith(b"# General\n")
    response = await alice.fetch(f"/api/v1/{EXPORTS}", "POST", {"form": "markdown"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="team-general.md"'
    entries = AuditEntry.objects.filter(action="export_conversation", trigger="rest")
    assert await read(entries.filter(actor_id=live.cast.alice.pk).count) == 4


async def test_what_cannot_be_exported_is_said(live: Live, alice: Caller) -> None:
    assert (await alice.post(EXPORTS, {"form": "docx"})).json["errors"][0]["field"] == "form"
    posted = await live.say("Tell me about durability")
    found = await alice.post(EXPORTS)
    assert (found.status, found.json["code"]) == (409, "turn_running")
    assert posted.turn is not None
    await write(stop_turn, posted.turn, by=live.cast.alice)


def test_what_one_server_exports_another_takes_in(scene: Scene, elsewhere: Elsewhere) -> None:
    scene.say("hello")
    scene.answer("hello yourself")
    content = exported(scene.fresh())

    async def import_twice(olga: User) -> list[int]:
        caller = await caller_of(olga)
        return [(await caller.call("POST", "imports?workspace=reef", content)).status for _ in range(2)]

    with elsewhere():
        try:
            assert async_to_sync(import_twice)(User.objects.get(username="olga")) == [201, 200]
        finally:
            close_threads()
        entry = AuditEntry.objects.get(action="import_conversation")
        assert (entry.told["through"], entry.told["actor_name"]) == ("rest", "olga")
        assert without_header(exported(Conversation.objects.get())) == without_header(content)


async def test_an_import_says_what_it_did_and_twice_is_once(live: Live, alice: Caller) -> None:
    await live.reply_to(await live.say("echo hello"))
    content = await file_of(alice, "jsonl")
    again = await alice.call("POST", IMPORTS, content)
    assert (again.status, again.json["is_here"], again.json["done"]) == (200, True, True)
    await live.reply_to(await live.say("echo more"))
    gone_on = await alice.call("POST", f"{IMPORTS}&dry_run=true", content)
    assert (gone_on.status, gone_on.json["done"]) == (200, False)
    assert "has become another one" in gone_on.json["conflict"]
    assert gone_on.json["counts"]["messages"] == 2
    assert gone_on.json["people"] == [
        {"id": str(live.cast.alice.public_id), "name": "alice", "is_known": True}
    ]
    refused = await alice.call("POST", IMPORTS, content)
    assert (refused.status, refused.json["code"]) == (409, "import_conflict")


async def test_a_file_that_is_none_is_refused_in_words(live: Live, alice: Caller) -> None:
    for body in ("", "{}", "{}\n", '{"records":[\n', "\x00\n", "[" * 100_000 + "\n"):
        found = await alice.call("POST", IMPORTS, body)
        assert (found.status, found.json["code"]) == (400, "import_refused")
        assert found.json["detail"].endswith("nothing was imported.")
    assert await read(Conversation.objects.count) == 1
    assert (await alice.call("POST", "imports", "{}\n")).json["errors"][0]["field"] == "workspace"


async def test_a_file_that_is_too_large_is_not_read(live: Live, alice: Caller) -> None:
    with override_settings(LARGEST_IMPORT=100):
        found = await alice.call("POST", IMPORTS, "x" * 200)
    assert found.status == 400
    assert "nothing was imported" in found.json["detail"]


async def test_what_is_private_is_exported_by_those_in_it(live: Live, alice: Caller) -> None:
    await write(change_openness, live.cast.conversation, by=live.cast.alice, openness="private")
    mia = await caller_of(live.cast.mia)
    assert (await mia.post(EXPORTS)).status == 404
    assert (await file_of(alice, "jsonl")).count(b"\n") > 3
