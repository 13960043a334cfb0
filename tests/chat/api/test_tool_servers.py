"""Tool servers through the API: added, looked at, chosen for an agent and called, and nobody else's business."""

from __future__ import annotations

from typing import Any

import pytest

from chat.database_threads import read
from sessions_app.models import AuditEntry, ToolServer
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.control import HERE
from tests.chat.live import Live
from tests.tool_servers.hostile import Hostile
from tests.tool_servers.running import RunningToolServer

SECRET = "mcp-kelp-4711"


def new(address: str, **other: Any) -> dict[str, Any]:
    return {"workspace": "kelp", "name": "weather", "address": address, "key": SECRET, **other}


async def added(caller: Caller, address: str, **other: Any) -> str:
    answer = await caller.post("tool-servers", new(address, **other))
    assert answer.status == 201, answer.json
    return f"tool-servers/{answer.json['id']}"


async def test_a_server_is_added_looked_at_chosen_and_called(
    alice: Caller, tool_server: RunningToolServer
) -> None:
    here = await added(alice, tool_server.address)
    before = (await alice.get(here)).json
    assert (before["name"], before["has_key"], before["tools"], before["seen_at"]) == (
        "weather", True, [], None,
    )  # fmt: skip
    looked = await alice.post(f"{here}/listings")
    assert (looked.status, looked.json["left_out"]) == (201, [])
    names = [tool["name"] for tool in looked.json["server"]["tools"]]
    assert "weather__add" in names
    [agent] = (await alice.get("agents")).json["items"]
    assert agent["tool_servers"] == []
    chosen = await alice.call("PATCH", f"agents/{agent['id']}", {"tool_servers": ["weather"]})
    assert (chosen.status, chosen.json["tool_servers"]) == (200, ["weather"])
    text = 'tool weather__add {"a": 2, "b": 40}; at 0/s'
    answered = await alice.post(f"{HERE}/messages?wait=30", {"text": text})
    assert "42" in str(answered.json["reply"])
    told = [before, looked.json, (await alice.get("tool-servers")).json, chosen.json]
    assert not [each for each in told if SECRET in str(each) or tool_server.address in str(each)]


async def test_a_server_is_changed_and_switched_off(alice: Caller, tool_server: RunningToolServer) -> None:
    here = await added(alice, tool_server.address)
    changed = await alice.call("PATCH", here, {"trusts_hints": True, "key": ""})
    assert (changed.json["trusts_hints"], changed.json["has_key"]) == (True, False)
    for _ in range(2):
        assert (await alice.call("PATCH", here, {"is_active": False})).json["is_active"] is False
    entries = await read(lambda: AuditEntry.objects.filter(action="change_tool_server").count())
    assert entries == 2


async def test_a_look_that_fails_changes_nothing_and_says_why(alice: Caller, hostile: Hostile) -> None:
    here = await added(alice, hostile.address("protocol-error"))
    refused = await alice.post(f"{here}/listings")
    assert (refused.status, refused.json["code"]) == (409, "tool_server_failed")
    assert "no kelp today" in refused.json["detail"]
    assert SECRET not in str(refused.json)
    assert (await alice.get(here)).json["seen_at"] is None


@pytest.mark.parametrize(
    ("field", "value", "status", "says"),
    [
        ("address", "http://169.254.169.254/mcp", 400, "never asked"),
        ("address", "http://10.0.0.1/mcp", 400, "private network"),
        ("address", "npx -y server", 400, "a command is never started"),
        ("address", "https://${HOST}/mcp", 400, "nothing of the environment"),
        ("address", 7, 400, "must be a text"),
        ("name", "a__b", 400, "begins the names of its tools"),
        ("key", "two words", 400, "A key has at most"),
        ("trusts_hints", "perhaps", 400, "trusts_hints"),
        ("workspace", "reef", 404, "nothing here"),
    ],
)
async def test_nonsense_is_refused_by_name(
    alice: Caller, field: str, value: Any, status: int, says: str
) -> None:
    answer = await alice.post("tool-servers", {**new("https://tools.example/mcp"), field: value})
    assert answer.status == status
    assert says in str(answer.json)
    assert SECRET not in str(answer.json)
    assert not await read(ToolServer.objects.exists)


async def test_a_name_is_taken_once(alice: Caller) -> None:
    await added(alice, "https://tools.example/mcp")
    again = await alice.post("tool-servers", new("https://tools.example/mcp"))
    assert (again.status, again.json["code"]) == (409, "name_taken")


async def test_who_does_not_manage_has_nothing_asked(live: Live, alice: Caller, hostile: Hostile) -> None:
    here = await added(alice, hostile.address("chatter"))
    for person, status in ((live.cast.mia, 403), (live.cast.vera, 403), (live.cast.bob, 404)):
        caller = await caller_of(person)
        assert (await caller.post(f"{here}/listings")).status == status
        assert (await caller.call("PATCH", here, {"is_active": False})).status == status
        assert (await caller.post("tool-servers", new("https://x.example", name="x"))).status == status
    assert hostile.asked == []
