"""Who can see a conversation, through the API: told, changed, and refused in words."""

from __future__ import annotations

from typing import Any

from chat.database_threads import write
from sessions_app.models import Membership
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.control import refusal
from tests.chat.live import Live


async def test_a_private_conversation_is_begun_shared_and_taken_back(live: Live, alice: Caller) -> None:
    mia = await caller_of(live.cast.mia)
    begun = (await alice.post("conversations", {"title": "Plans", "openness": "private"})).json
    path, person = (
        f"conversations/{begun['id']}",
        f"conversations/{begun['id']}/access/{live.cast.mia.public_id}",
    )
    assert begun["openness"] == "private"
    assert (await mia.get(path)).status == 404
    for _ in range(2):
        told = (await alice.call("PUT", person, {"level": "write"})).json
    assert [(row["person"]["username"], row["level"], row["started_it"]) for row in told["people"]] == [
        ("alice", "control", True),
        ("mia", "write", False),
    ]
    seen = (await mia.get(f"{path}/access")).json
    assert (seen["level"], seen["may_share"], len(seen["people"])) == ("write", False, 2)
    assert (await mia.post(f"{path}/messages", {"text": "echo hello"})).status == 201
    assert refusal(await mia.call("PATCH", f"{path}/access", {"openness": "open"})) == (403, "not_allowed")
    for _ in range(2):
        assert (await alice.call("DELETE", person)).status == 204
    assert (await mia.get(path)).status == 404
    actions = [row["action"] for row in (await alice.get(f"{path}/audit")).json["items"]]
    assert actions == ["revoke_access", "grant_access", "start"]


async def test_everybody_may_leave_but_the_last_who_controls_it(live: Live, alice: Caller) -> None:
    path = "conversations/team:general/access"
    cast, mia = live.cast, await caller_of(live.cast.mia)
    await alice.call("PATCH", path, {"openness": "private"})
    await alice.call("PUT", f"{path}/{cast.mia.public_id}", {"level": "view"})
    assert (await mia.call("DELETE", f"{path}/{cast.mia.public_id}")).status == 204
    assert (await mia.get(path)).status == 404
    assert refusal(await alice.call("DELETE", f"{path}/{cast.alice.public_id}")) == (409, "nobody_controls")


async def test_who_has_left_the_workspace_is_still_listed_and_can_be_taken_out(
    live: Live, alice: Caller
) -> None:
    path, mia = "conversations/team:general/access", live.cast.mia
    await alice.call("PUT", f"{path}/{mia.public_id}", {"level": "view"})
    await write(Membership.objects.filter(user=mia).delete)
    listed = {row["person"]["username"]: row for row in (await alice.get(path)).json["people"]}
    assert (listed["mia"]["level"], listed["mia"]["named"]) == (None, "view")
    assert (await alice.call("DELETE", f"{path}/{mia.public_id}")).status == 204
    assert len((await alice.get(path)).json["people"]) == 2


async def test_nonsense_is_refused_and_nothing_is_changed(live: Live, alice: Caller) -> None:
    path, cast = "conversations/team:general/access", live.cast
    nonsense: tuple[Any, ...] = ({"openness": "ajar"}, {"openness": None}, {}, [])
    for change in nonsense:
        assert (await alice.call("PATCH", path, change)).status == 400
    for who, body, status in (
        (cast.mia, {"level": "rule"}, 400),
        (cast.mia, {}, 400),
        (cast.vera, {"level": "write"}, 400),
        (cast.bob, {"level": "view"}, 404),
    ):
        assert (await alice.call("PUT", f"{path}/{who.public_id}", body)).status == status
    assert (await alice.call("PUT", f"{path}/not-an-id", {"level": "view"})).status == 404
    told = (await alice.get(path)).json
    assert told["openness"] == "open"
    assert [row["named"] for row in told["people"]] == [None, None, None]
