from __future__ import annotations

import json
from typing import Any

import pytest
from pytest_django import Settings

from sessions_app.errors import (
    AddressNotAllowed,
    Conflict,
    Invalid,
    NameTaken,
    NotAllowed,
    ServerKeyUnreadable,
)
from sessions_app.models import Agent, AuditEntry, ToolListing, ToolServer, User, Workspace
from sessions_app.services.agents import change_agent, create_agent
from sessions_app.services.tool_listings import ListedTool, listings_of, record_listing
from sessions_app.services.tool_servers import change_tool_server, create_tool_server, tool_server_key
from sessions_app.services.verify import verify
from tests.sessions_app.services.test_agents import CATALOGUE

SECRET = "mcp-kelp-4711"
ADDRESS = "https://tools.example/mcp"


def listed(name: str, **other: Any) -> ListedTool:
    tool: ListedTool = {
        "name": f"weather__{name}",
        "remote_name": name,
        "description": "Tells.",
        "parameters": {"type": "object"},
        "may_be_repeated": False,
    }
    return {**tool, **other}  # type: ignore[typeddict-item]


@pytest.fixture
def weather(team: Workspace, alice: User) -> ToolServer:
    return create_tool_server(
        team, by=alice, catalogue=CATALOGUE, name="weather", address=f"{ADDRESS}/", key=SECRET
    )


@pytest.fixture
def echo(team: Workspace, alice: User) -> Agent:
    return create_agent(team, by=alice, catalogue=CATALOGUE, name="Echo", handle="echo", provider="demo")


def test_a_server_has_what_was_given_and_trusts_no_hints(weather: ToolServer) -> None:
    weather.refresh_from_db()
    assert (weather.name, weather.address, weather.is_active) == ("weather", ADDRESS, True)
    assert (weather.trusts_hints, weather.tools, weather.seen_at) == (False, [], None)
    assert SECRET not in weather.encrypted_key
    assert tool_server_key(weather) == SECRET


@pytest.mark.parametrize(
    "name", ["", "Weather", "a b", "a__b", "_a", "a_", "a-", "-a", "x" * 25, "a.b", "a\n", "é", 7]
)
def test_a_name_that_could_make_two_tools_one_is_refused(team: Workspace, alice: User, name: Any) -> None:
    with pytest.raises(Invalid, match="begins the names of its tools"):
        create_tool_server(team, by=alice, catalogue=CATALOGUE, name=name, address=ADDRESS)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", "needs an address"),
        ("npx -y @example/server", "a command is never started"),
        ("/usr/bin/server", "a command is never started"),
        ("python server.py", "a command is never started"),
        ("stdio://server", "An address looks like"),
        ("file:///etc/passwd", "An address looks like"),
        ("https://${HOST}/mcp", "nothing of the environment is filled in"),
        ("https://tools.example/${SECRET_KEY}", "nothing of the environment is filled in"),
        ("https://$HOST/mcp", "nothing of the environment is filled in"),
        ("https://$(hostname)/mcp", "nothing of the environment is filled in"),
        ("https://{{host}}/mcp", "nothing of the environment is filled in"),
        ("https://%HOST%/mcp", "nothing of the environment is filled in"),
        ("https://user:password@tools.example", "An address looks like"),
        ("https://tools.example/mcp?key=1", "An address looks like"),
        ("https://tools.example/#mcp", "An address looks like"),
        ("https://" + "x" * 500, "An address has"),
        ("http://private.example/mcp", "Not there"),
        (None, "needs an address"),
    ],
)
def test_an_address_that_is_not_asked_as_it_is_written_is_refused(
    team: Workspace, alice: User, weather: ToolServer, address: Any, says: str
) -> None:
    with pytest.raises(Invalid, match=says):
        create_tool_server(team, by=alice, catalogue=CATALOGUE, name="other", address=address)
    if address is not None:
        with pytest.raises(Invalid, match=says):
            change_tool_server(weather, by=alice, catalogue=CATALOGUE, address=address, key=SECRET)
    assert ToolServer.objects.get().address == ADDRESS
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("key", "says"), [("two words", "A key has at most"), ("${API_KEY}", "A key is used as it is written")]
)
def test_a_key_that_cannot_be_sent_as_it_is_is_refused_and_not_repeated(
    team: Workspace, alice: User, key: str, says: str
) -> None:
    with pytest.raises(Invalid, match=says) as refusal:
        create_tool_server(team, by=alice, catalogue=CATALOGUE, name="kelp", address=ADDRESS, key=key)
    assert key not in str(refusal.value)
    assert not ToolServer.objects.exists()


def test_a_name_is_one_servers_in_a_workspace(weather: ToolServer, alice: User) -> None:
    with pytest.raises(NameTaken):
        create_tool_server(
            weather.workspace, by=alice, catalogue=CATALOGUE, name="weather", address="https://b.example"
        )


def test_a_key_does_not_go_to_another_address(weather: ToolServer, alice: User) -> None:
    thief = "https://thief.example"
    with pytest.raises(Invalid, match="key belongs to the old address"):
        change_tool_server(weather, by=alice, catalogue=CATALOGUE, address=thief)
    assert tool_server_key(ToolServer.objects.get()) == SECRET
    moved = change_tool_server(weather, by=alice, catalogue=CATALOGUE, address=thief, key="other-key")
    assert (moved.address, tool_server_key(moved)) == (thief, "other-key")
    assert not change_tool_server(moved, by=alice, catalogue=CATALOGUE, key="").has_key


def test_a_key_that_was_encrypted_elsewhere_is_refused_by_name(
    weather: ToolServer, settings: Settings
) -> None:
    settings.ENCRYPTION_KEYS = ["a" * 43 + "="]
    with pytest.raises(ServerKeyUnreadable, match="tool server's key"):
        tool_server_key(weather)


def test_changes_are_audited_without_the_key_and_none_is_not(weather: ToolServer, alice: User) -> None:
    change_tool_server(weather, by=alice, catalogue=CATALOGUE, is_active=False, key=f"{SECRET}-2")
    change_tool_server(weather, by=alice, catalogue=CATALOGUE, is_active=False, address=f"{ADDRESS}/")
    created, changed = AuditEntry.objects.order_by("number")
    assert (created.action, created.told["has_key"]) == ("create_tool_server", True)
    assert created.told["settings"] == {
        "name": "weather", "address": ADDRESS, "trusts_hints": False, "is_active": True,
    }  # fmt: skip
    assert (changed.action, changed.actor_id) == ("change_tool_server", alice.pk)
    assert changed.told["changed"] == {"is_active": {"from": True, "to": False}}
    assert (changed.told["key"], changed.told["tool_server"]["name"]) == ("replaced", "weather")
    assert SECRET not in created.facts + changed.facts
    assert verify().is_clean


def test_a_server_whose_address_is_no_longer_allowed_can_be_switched_off(
    weather: ToolServer, alice: User
) -> None:
    ToolServer.objects.update(address="http://private.example/mcp")
    assert not change_tool_server(weather, by=alice, catalogue=CATALOGUE, is_active=False).is_active
    with pytest.raises(AddressNotAllowed):
        change_tool_server(
            weather, by=alice, catalogue=CATALOGUE, address="http://private.example/", key=SECRET
        )


def test_a_list_that_has_changed_is_a_new_row_and_an_entry(weather: ToolServer, alice: User) -> None:
    record_listing(weather, [listed("today"), listed("gone")], by=alice)
    seen = ToolServer.objects.get()
    assert [tool["name"] for tool in seen.tools] == ["weather__today", "weather__gone"]
    record_listing(seen, [listed("today"), listed("gone")], by=alice)
    assert ToolListing.objects.count() == 1
    record_listing(seen, [listed("today", description="Other."), listed("new")], by=alice)
    first, second = ToolListing.objects.order_by("pk")
    assert [tool["remote_name"] for tool in first.told] == ["today", "gone"]
    assert [tool["remote_name"] for tool in seen.tools] == ["today", "new"]
    assert second.digest != first.digest
    _, noted, changed = AuditEntry.objects.order_by("number")
    assert (noted.action, noted.told["tools"], noted.told["added"]) == ("list_tools", 2, ["gone", "today"])
    assert {name: changed.told[name] for name in ("added", "gone", "changed")} == {
        "added": ["new"], "gone": ["gone"], "changed": ["today"],
    }  # fmt: skip


@pytest.mark.parametrize("change", [{"address": "https://b.example", "key": SECRET}, {"key": "other-key"}])
def test_a_list_that_another_address_or_key_has_shown_is_not_noted(
    weather: ToolServer, alice: User, change: Any
) -> None:
    before = ToolServer.objects.get()
    change_tool_server(weather, by=alice, catalogue=CATALOGUE, **change)
    with pytest.raises(Conflict, match="look again"):
        record_listing(before, [listed("today")], by=alice)
    assert not ToolListing.objects.exists()


def test_an_agent_has_the_servers_that_were_chosen_for_it(
    weather: ToolServer, echo: Agent, alice: User
) -> None:
    record_listing(weather, [listed("today")], by=alice)
    assert listings_of(echo) == []
    change_agent(echo, by=alice, catalogue=CATALOGUE, tool_servers=["weather"])
    change_agent(echo, by=alice, catalogue=CATALOGUE, tool_servers=["weather"])
    assert [listing.server for listing in listings_of(echo)] == [weather]
    entry = AuditEntry.objects.order_by("number").last()
    assert entry is not None
    assert entry.told["changed"] == {"tool_servers": {"from": [], "to": ["weather"]}}
    change_tool_server(weather, by=alice, catalogue=CATALOGUE, is_active=False)
    assert listings_of(echo) == []
    change_agent(echo, by=alice, catalogue=CATALOGUE, tool_servers=[])
    assert not echo.tool_servers.exists()


def test_an_agent_gets_no_server_of_another_workspace(
    weather: ToolServer, echo: Agent, alice: User, bob: User
) -> None:
    other = Workspace.objects.create(name="Other", slug="other")
    ToolServer.objects.create(workspace=other, name="theirs", address=ADDRESS)
    with pytest.raises(Invalid, match="no tool server called theirs"):
        change_agent(echo, by=alice, catalogue=CATALOGUE, tool_servers=["weather", "theirs"])
    with pytest.raises(Invalid, match="no tool server called theirs"):
        create_agent(
            echo.workspace, by=alice, catalogue=CATALOGUE, name="B", handle="b", provider="demo",
            tool_servers=["theirs"],
        )  # fmt: skip
    assert not echo.tool_servers.exists()


def test_members_viewers_and_strangers_manage_no_tool_servers(
    weather: ToolServer, mia: User, vera: User, bob: User
) -> None:
    for person in (mia, vera, bob):
        with pytest.raises(NotAllowed):
            change_tool_server(weather, by=person, catalogue=CATALOGUE, is_active=False)
        with pytest.raises(NotAllowed):
            record_listing(weather, [], by=person)
        with pytest.raises(NotAllowed):
            create_tool_server(
                weather.workspace, by=person, catalogue=CATALOGUE, name="mine", address=ADDRESS
            )
    assert not ToolServer.objects.visible_to(bob).exists()
    assert ToolServer.objects.get().is_active
    assert json.loads(AuditEntry.objects.get().facts)["tool_server"]["name"] == "weather"
