"""The pages of a workspace's agents: added, changed, switched off, given tools; managers' business alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import Agent, AuditEntry, ToolServer, User, Workspace
from sessions_app.services.agents import agent_key
from tests.chat.recovery.cast import alice, olga

__all__ = ["alice", "olga"]

SECRET = "sk-kelp-4711"
PAGE = "/workspaces/demo/agents/"
WRITTEN = {
    "name": "Claude", "handle": "claude", "provider": "anthropic", "model": "tiny", "key": SECRET,
    "context_limit": "8192", "most_output_tokens": "1024", "after_interruption": "continue",
    "is_active": "on", "has_every_tool": "on", "description": "", "address": "", "system_prompt": "Be brief.",
}  # fmt: skip


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def claude(browser: Client) -> Agent:
    assert browser.post(PAGE, WRITTEN).status_code == 302
    return Agent.objects.get(handle="claude")


@pytest.fixture
def weather(alice: User) -> ToolServer:
    workspace = Workspace.objects.get(slug="demo")
    return ToolServer.objects.create(workspace=workspace, name="weather", address="https://tools.example")


def own(agent: Agent) -> str:
    return f"{PAGE}{agent.public_id}/"


def change(client: Client, agent: Agent, *without: str, **written: Any) -> Any:
    fields = {**WRITTEN, "key": "", **written}
    return client.post(own(agent), {name: value for name, value in fields.items() if name not in without})


def test_the_settings_lead_to_the_agents(browser: Client) -> None:
    assert PAGE in browser.get(reverse("workspace_settings", args=["demo"])).content.decode()
    assert "@demo" in browser.get(PAGE).content.decode()


def test_an_agent_is_added_and_shown_without_its_key(browser: Client, claude: Agent, alice: User) -> None:
    assert (claude.model, agent_key(claude), claude.system_prompt) == ("tiny", SECRET, "Be brief.")
    entry = AuditEntry.objects.get(action="create_agent", facts__contains='"claude"')
    assert (entry.trigger, entry.actor_id) == ("page", alice.pk)
    for address in (PAGE, own(claude)):
        page = browser.get(address)
        assert "no-store" in page["Cache-Control"]
        assert "Claude" in page.content.decode()
        assert SECRET not in page.content.decode()


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"handle": "Not This"}, "after the @"),
        ({"context_limit": "many"}, "whole numbers of tokens"),
        ({"context_limit": "9" * 5_000}, "whole numbers of tokens"),
        ({"most_output_tokens": "0"}, "The most tokens of an answer"),
        ({"provider": "nobody"}, "There is no provider"),
        ({"address": "http://10.0.0.1/v1"}, "private network"),
        ({"tool_servers": "nothing"}, "no tool server called nothing"),
        ({"handle": "demo"}, "has this handle"),
        ({"key": ""}, "needs a key"),
    ],
)
def test_a_refused_form_keeps_what_was_written_but_the_key(
    browser: Client, written: dict[str, str], says: str
) -> None:
    refused = browser.post(PAGE, {**WRITTEN, **written})
    page = refused.content.decode()
    assert refused.status_code == 400
    assert says in page
    assert "Be brief." in page
    assert SECRET not in page
    assert not Agent.objects.filter(name="Claude").exists()


def test_an_agent_is_changed_and_keeps_its_key_until_another_is_typed(browser: Client, claude: Agent) -> None:
    assert change(browser, claude, name="Renamed").status_code == 302
    claude.refresh_from_db()
    assert (claude.name, agent_key(claude)) == ("Renamed", SECRET)
    change(browser, claude, key="sk-other-4711")
    claude.refresh_from_db()
    assert agent_key(claude) == "sk-other-4711"
    assert "needs a key" in change(browser, claude, clear_key="on").content.decode()


def test_an_agent_is_switched_off_and_on_again(browser: Client, claude: Agent) -> None:
    for without, is_active in ((("is_active",), False), ((), True)):
        change(browser, claude, *without)
        claude.refresh_from_db()
        assert claude.is_active is is_active


def test_tools_and_tool_servers_are_chosen(browser: Client, claude: Agent, weather: ToolServer) -> None:
    for _ in range(2):
        change(browser, claude, "has_every_tool", tools=["time"], tool_servers=["weather"])
        claude.refresh_from_db()
        assert (claude.tools, list(claude.tool_servers.all())) == (["time"], [weather])
    page = browser.get(own(claude)).content.decode()
    assert 'value="weather" checked' in page
    assert 'value="time" checked' in page
    ToolServer.objects.update(is_active=False)
    assert 'value="weather" checked' in browser.get(own(claude)).content.decode()
    change(browser, claude)
    claude.refresh_from_db()
    assert (claude.tools, list(claude.tool_servers.all())) == (None, [])


def test_only_those_who_manage_find_the_pages(client: Client, claude: Agent) -> None:
    people = [User.objects.get(username=name) for name in ("mia", "vera")]
    for person in (*people, User.objects.create_user("bob")):
        client.force_login(person)
        answers = [client.get(PAGE), client.get(own(claude)), client.post(PAGE, {**WRITTEN, "handle": "b"})]
        answers.append(change(client, claude, name="Mine"))
        assert {answer.status_code for answer in answers} == {404}
    client.force_login(User.objects.get(username="mia"))
    assert PAGE not in client.get(reverse("workspace_settings", args=["demo"])).content.decode()
    assert Agent.objects.get(handle="claude").name == "Claude"


def test_a_forged_request_changes_nothing(alice: User, claude: Agent) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(alice)
    assert {visitor.post(PAGE, WRITTEN).status_code, change(visitor, claude).status_code} == {403}
