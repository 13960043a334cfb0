"""Workspaces and who is in them, through the API: the same rules, and no token reaches beyond its limits."""

from __future__ import annotations

from typing import Any

from chat.database_threads import read, write
from chat.models import Scope
from sessions_app.models import AuditEntry, Membership, Role, User, Workspace
from sessions_app.services.members import remove_member
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live


def roles() -> dict[str, str]:
    return dict(Membership.objects.values_list("user__username", "role"))


def place(user: User, slug: str = "kelp") -> str:
    return f"workspaces/{slug}/members/{user.public_id}"


async def test_a_workspace_is_made_renamed_and_has_its_agent(live: Live) -> None:
    bob = await caller_of(live.cast.bob)
    made = await bob.post("workspaces", {"name": "Reef"})
    assert (made.status, made.json["slug"]) == (201, "reef")
    renamed = await bob.call("PATCH", "workspaces/reef", {"name": "Coral"})
    assert (renamed.status, renamed.json["name"], renamed.json["slug"]) == (200, "Coral", "reef")
    assert (await bob.get("me")).json["memberships"][0]["role"] == "owner"
    assert [agent["handle"] for agent in (await bob.get("agents?workspace=reef")).json["items"]] == ["demo"]


async def test_a_role_is_changed_and_a_member_removed(live: Live, alice: Caller) -> None:
    mia = live.cast.mia
    assert (await alice.get(place(mia))).json["role"] == "member"
    for _ in range(2):
        changed = await alice.call("PATCH", place(mia), {"role": "viewer"})
        assert (changed.status, changed.json["role"]) == (200, "viewer")
    assert (await alice.call("DELETE", place(mia))).status == 204
    assert (await alice.call("DELETE", place(mia))).status == 404
    entry = await read(AuditEntry.objects.get, action="member_removed")
    assert (entry.trigger, entry.workspace_id) == ("rest", live.cast.team.pk)


async def test_ownership_is_handed_over_and_the_last_owner_stays(live: Live, alice: Caller) -> None:
    refused = await alice.call("DELETE", "workspaces/kelp/members/me")
    assert (refused.status, refused.json["code"]) == (409, "last_owner")
    given = await alice.call("PUT", "workspaces/kelp/ownership", {"person": str(live.cast.mia.public_id)})
    assert (given.status, given.json["role"], given.json["person"]["username"]) == (200, "owner", "mia")
    assert (await alice.get("workspaces/kelp/members/me")).json["role"] == "admin"
    assert (await alice.call("DELETE", "workspaces/kelp/members/me")).status == 204
    assert (await alice.call("DELETE", "workspaces/kelp/members/me")).status == 404
    assert await read(roles) == {"mia": Role.OWNER, "vera": Role.VIEWER}


async def test_owners_read_the_log_of_their_workspace_and_of_no_other(live: Live, alice: Caller) -> None:
    bob = await caller_of(live.cast.bob)
    await bob.post("workspaces", {"name": "Reef"})
    await alice.call("PATCH", place(live.cast.mia), {"role": "viewer"})
    [entry] = (await alice.get("workspaces/kelp/audit")).json["items"]
    assert (entry["action"], entry["about"], entry["trigger"]) == (
        "role_changed",
        "mia: member → viewer",
        "rest",
    )
    assert entry["facts"]["workspace"]["name"] == "Kelp"
    told = [entry["action"] for entry in (await bob.get("workspaces/reef/audit")).json["items"]]
    assert told == ["create_agent", "workspace_created"]


async def test_a_stranger_finds_no_member(live: Live) -> None:
    bob, before = await caller_of(live.cast.bob), await read(roles)
    person = {"person": str(live.cast.bob.public_id)}
    answers = [
        await bob.get(place(live.cast.mia)),
        await bob.call("PATCH", place(live.cast.mia), {"role": "viewer"}),
        await bob.call("DELETE", place(live.cast.mia)),
        await bob.call("DELETE", "workspaces/kelp/members/me"),
        await bob.call("PUT", "workspaces/kelp/ownership", person),
        await bob.call("PATCH", "workspaces/kelp", {"name": "Mine"}),
    ]
    assert {answer.status for answer in answers} == {404}
    assert await read(roles) == before


async def test_members_read_who_is_there_and_change_nothing(live: Live) -> None:
    before = await read(roles)
    for user in (live.cast.mia, live.cast.vera):
        caller, person = await caller_of(user), {"person": str(user.public_id)}
        assert (await caller.get(place(live.cast.alice))).json["role"] == "owner"
        answers = [
            await caller.call("PATCH", place(user), {"role": "owner"}),
            await caller.call("DELETE", place(live.cast.alice)),
            await caller.call("PUT", "workspaces/kelp/ownership", person),
            await caller.call("PATCH", "workspaces/kelp", {"name": "Mine"}),
        ]
        assert {(answer.status, answer.json["code"]) for answer in answers} == {(403, "not_allowed")}
    assert await read(roles) == before


async def test_nonsense_is_named(live: Live, alice: Caller) -> None:
    for method, path, body in (
        ("POST", "workspaces", {"name": " "}),
        ("POST", "workspaces", {}),
        ("PATCH", "workspaces/kelp", {"name": "x" * 101}),
        ("PATCH", place(live.cast.mia), {"role": "emperor"}),
        ("PUT", "workspaces/kelp/ownership", {"person": "mia"}),
        ("PUT", "workspaces/kelp/ownership", {"person": str(live.cast.alice.public_id)}),
    ):
        answered = await alice.call(method, path, body)
        assert (answered.status, answered.json["code"]) == (400, "invalid"), (path, body)


async def test_a_token_reaches_no_further_than_its_scope_and_its_limit(live: Live) -> None:
    owner, mia = live.cast.alice, live.cast.mia
    limits: list[dict[str, Any]] = [
        {"scope": Scope.CONTROL},
        {"conversation": live.cast.conversation},
    ]
    for limit in limits:
        caller = await caller_of(owner, **limit)
        for method, path, body in (
            ("POST", "workspaces", {"name": "Reef"}),
            ("PATCH", "workspaces/kelp", {"name": "Reef"}),
            ("PATCH", place(mia), {"role": "viewer"}),
            ("DELETE", place(mia), None),
            ("DELETE", "workspaces/kelp/members/me", None),
            ("PUT", "workspaces/kelp/ownership", {"person": str(mia.public_id)}),
        ):
            answered = await caller.call(method, path, body)
            assert (answered.status, answered.json["code"]) == (403, "insufficient_scope"), (limit, path)
    within = await caller_of(owner, workspace=live.cast.team)
    assert (await within.post("workspaces", {"name": "Reef"})).status == 403
    assert (await within.call("PATCH", place(mia), {"role": "viewer"})).status == 200
    assert await read(Workspace.objects.count) == 1


async def test_a_removed_members_tokens_open_nothing_of_it(live: Live) -> None:
    mia, conversation = live.cast.mia, live.cast.conversation
    callers = [
        await caller_of(mia),
        await caller_of(mia, workspace=live.cast.team),
        await caller_of(mia, conversation=conversation),
    ]
    paths = ("workspaces/kelp", f"conversations/{conversation.public_id}", "workspaces/kelp/members/me")
    for caller in callers:
        assert {(await caller.get(path)).status for path in paths} == {200}
    await write(_remove, mia, live.cast.alice)
    for caller in callers:
        assert {(await caller.get(path)).status for path in paths} == {404}
        assert (await caller.get("conversations")).json["items"] == []
        assert (await caller.get("me")).json["memberships"] == []


def _remove(user: User, by: User) -> None:
    remove_member(Membership.objects.select_related("workspace").get(user=user), by=by)
