"""The pages of a workspace's tool servers: added, tested, changed, switched off; managers' business alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat.database_threads import answer
from sessions_app.models import ToolServer, User
from sessions_app.services.tool_servers import tool_server_key
from tests.chat.live import Live
from tests.chat.recovery.cast import alice, olga
from tests.tool_servers.hostile import Hostile
from tests.tool_servers.running import RunningToolServer

__all__ = ["alice", "olga"]

SECRET = "mcp-kelp-4711"
PAGE = "/workspaces/demo/tool-servers/"
WRITTEN = {"name": "weather", "address": "https://tools.example/mcp", "key": SECRET}


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def weather(browser: Client) -> ToolServer:
    assert browser.post(PAGE, WRITTEN).status_code == 302
    return ToolServer.objects.get()


def own(server: ToolServer) -> str:
    return f"{PAGE}{server.public_id}/"


def change(client: Client, server: ToolServer, **written: str) -> Any:
    usual = {"address": server.address, "key": "", "is_active": "on"}
    return client.post(own(server), {**usual, **written})


def test_the_settings_lead_to_an_empty_list(browser: Client) -> None:
    assert PAGE in browser.get(reverse("workspace_settings", args=["demo"])).content.decode()
    assert "There is none yet." in browser.get(PAGE).content.decode()


def test_a_server_is_added_and_shown_without_its_key(browser: Client, weather: ToolServer) -> None:
    assert (weather.name, tool_server_key(weather), weather.trusts_hints) == ("weather", SECRET, False)
    for address in (PAGE, own(weather)):
        page = browser.get(address)
        assert "no-store" in page["Cache-Control"]
        assert "https://tools.example/mcp" in page.content.decode()
        assert SECRET not in page.content.decode()
        assert weather.encrypted_key not in page.content.decode()


def test_a_refused_form_keeps_what_was_written_but_the_key(browser: Client) -> None:
    refused = browser.post(PAGE, {**WRITTEN, "name": "not__this", "trusts_hints": "on"})
    page = refused.content.decode()
    assert refused.status_code == 400
    assert "begins the names of its tools" in page
    assert 'value="not__this"' in page
    assert 'name="trusts_hints" checked' in page
    assert SECRET not in page
    assert not ToolServer.objects.exists()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("npx -y @example/server", "a command is never started"),
        ("https://${HOST}/mcp", "nothing of the environment"),
        ("http://192.168.0.1/mcp", "private network"),
    ],
)
def test_an_address_that_is_not_asked_is_refused_in_words(browser: Client, address: str, says: str) -> None:
    refused = browser.post(PAGE, {**WRITTEN, "address": address})
    assert refused.status_code == 400
    assert says in refused.content.decode()


def test_a_server_is_changed_and_keeps_its_key_until_another_is_typed(
    browser: Client, weather: ToolServer
) -> None:
    assert change(browser, weather, trusts_hints="on").status_code == 302
    weather.refresh_from_db()
    assert (weather.trusts_hints, tool_server_key(weather)) == (True, SECRET)
    moved = change(browser, weather, address="https://thief.example")
    assert moved.status_code == 400
    assert "key belongs to the old address" in moved.content.decode()
    change(browser, weather, address="https://other.example", key="other-key-1")
    weather.refresh_from_db()
    assert (weather.address, tool_server_key(weather)) == ("https://other.example", "other-key-1")
    change(browser, weather, clear_key="on")
    weather.refresh_from_db()
    assert not weather.has_key


def test_a_server_is_switched_off_and_on_again(browser: Client, weather: ToolServer) -> None:
    for is_active, written in ((False, {}), (True, {"is_active": "on"})):
        browser.post(own(weather), {"address": weather.address, "key": "", **written})
        weather.refresh_from_db()
        assert weather.is_active is is_active
        assert ('<span class="badge">off</span>' in browser.get(PAGE).content.decode()) is not is_active


def test_only_those_who_manage_find_the_pages(client: Client, weather: ToolServer) -> None:
    listings = f"{own(weather)}listings/"
    people = [User.objects.get(username=name) for name in ("mia", "vera")]
    for person in (*people, User.objects.create_user("bob")):
        client.force_login(person)
        answers = [client.get(PAGE), client.get(own(weather)), client.post(PAGE, {**WRITTEN, "name": "b"})]
        answers += [client.post(listings), change(client, weather, address="https://b.example", key="k")]
        assert {answer.status_code for answer in answers} == {404}
    client.logout()
    assert client.get(PAGE).status_code == 302
    assert ToolServer.objects.get().address == weather.address


def test_a_server_of_another_workspace_is_not_found(browser: Client, weather: ToolServer) -> None:
    there = own(weather).replace("/demo/", "/other/")
    assert browser.get(there).status_code == 404


def test_a_forged_request_changes_nothing(alice: User, weather: ToolServer) -> None:
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(alice)
    answers = [
        visitor.post(PAGE, WRITTEN),
        change(visitor, weather),
        visitor.post(f"{own(weather)}listings/"),
    ]
    assert {answer.status_code for answer in answers} == {403}


def after_the_test(person: User, address: str) -> str:
    """What the page says after the button."""
    browser, page = Client(), "/workspaces/kelp/tool-servers/"
    browser.force_login(person)
    assert browser.post(page, {**WRITTEN, "address": address}).status_code == 302
    answer = browser.post(f"{page}{ToolServer.objects.get().public_id}/listings/")
    text = answer.content.decode()
    assert answer.status_code == (200 if "The connection works" in text else 400)
    assert SECRET not in text
    return text


async def test_the_connection_is_tested_and_shows_the_tools(
    live: Live, tool_server: RunningToolServer
) -> None:
    page = await answer(after_the_test, live.cast.alice, tool_server.address)
    assert "The connection works" in page
    for shown in ("weather__add", "Adds two numbers.", "says it may be repeated"):
        assert shown in page


async def test_a_server_that_is_none_is_said_to_be_so(live: Live, hostile: Hostile) -> None:
    page = await answer(after_the_test, live.cast.alice, hostile.address("web-page"))
    assert "answered with something that no tool server says" in page
    assert "No tool is known." in page
