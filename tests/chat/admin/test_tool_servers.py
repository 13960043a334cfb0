"""Operators see where agents may have tools run, and choose servers for agents; servers are set up elsewhere."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.encryption import encrypt
from sessions_app.models import Agent, ToolServer, User, Workspace
from tests.chat.admin.test_agents import CHANGE, filled

SECRET = "mcp-kelp-4711"
LIST = "admin:sessions_app_toolserver_changelist"
ONE = "admin:sessions_app_toolserver_change"


@pytest.fixture
def weather(olga: User) -> ToolServer:
    return ToolServer.objects.create(
        workspace=Workspace.objects.get(),
        name="weather",
        address="https://tools.example/mcp",
        encrypted_key=encrypt(SECRET),
    )


def test_an_operator_sees_them_without_their_keys(operator: Client, weather: ToolServer) -> None:
    for address in (reverse(LIST), reverse(ONE, args=[weather.pk])):
        page = operator.get(address)
        assert page.status_code == 200
        assert "https://tools.example/mcp" in page.content.decode()
        assert SECRET not in page.content.decode()
        assert weather.encrypted_key not in page.content.decode()


def test_nobody_adds_changes_or_deletes_one_here(operator: Client, weather: ToolServer) -> None:
    add = reverse("admin:sessions_app_toolserver_add")
    delete = reverse("admin:sessions_app_toolserver_delete", args=[weather.pk])
    for address in (add, delete, reverse(ONE, args=[weather.pk])):
        assert operator.post(address, {"name": "other", "post": "yes"}).status_code == 403
    assert ToolServer.objects.get() == weather


def test_an_agent_is_given_those_of_its_workspace(operator: Client, weather: ToolServer) -> None:
    fields = filled(name="Demo", handle="demo", provider="demo", model="", key="")
    other = Workspace.objects.create(name="Other", slug="other")
    ToolServer.objects.create(workspace=other, name="theirs", address="https://tools.example/mcp")
    demo = Agent.objects.get(handle="demo")
    address = reverse(CHANGE, args=[demo.pk])
    for names, chosen in ((["weather"], ["weather"]), (["theirs"], ["weather"]), ([], [])):
        operator.post(address, {**fields, "lent_by": names})
        assert demo.tool_server_names == chosen
    assert "theirs" not in operator.get(address).content.decode()


def test_staff_without_the_permission_and_owners_see_nothing(client: Client, weather: ToolServer) -> None:
    for person in (User.objects.create_user("sam", is_staff=True), User.objects.get(username="alice")):
        client.force_login(person)
        assert client.get(reverse(LIST)).status_code in (302, 403)
