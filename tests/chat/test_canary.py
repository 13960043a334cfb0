"""A key that is put into an agent or a tool server is found nowhere: in no table, page, log, export or figure."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from chat.events import Failed
from chat.providers.http import close_client
from chat.tool_servers.client import call
from chat.tool_servers.server import Server
from chat.turns.assignment import provider_of
from config.logs import logging_settings
from sessions_app.models import Agent, ToolServer, User, Workspace
from sessions_app.services.tool_servers import tool_server_key
from tests.chat.providers.hearing import Heard, hear
from tests.chat.recovery.cast import olga, operator
from tests.config.test_security_headers import ADDRESSES
from tests.tool_servers.hostile import Hostile
from tests.tool_servers.running import RunningToolServer
from tests.vendors.running import RunningVendor

__all__ = ["olga", "operator"]

CANARY = "sk-canary-5f1d9c07e2"
ADD = "admin:sessions_app_agent_add"


def filled(address: str, **given: Any) -> dict[str, Any]:
    return {
        "workspace": Workspace.objects.get().pk,
        "name": "Canary",
        "handle": "canary",
        "provider": "openai_compatible",
        "model": "scripted",
        "address": address,
        "key": CANARY,
        "context_limit": 8192,
        "most_output_tokens": 1024,
        "after_interruption": "continue",
        "is_active": "on",
        "has_every_tool": "on",
        **given,
    }


@pytest.fixture
def canary(operator: Client, vendor: RunningVendor) -> Agent:
    assert operator.post(reverse(ADD), filled(vendor.openai)).status_code == 302
    return Agent.objects.get(handle="canary")


@pytest.fixture(params=["console", "json"])
def logged(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Everything that is logged, from the lowest level on, as the site would write it."""
    made = logging_settings(log_format=request.param, level="DEBUG")["formatters"]["holdfast"]
    handler = logging.StreamHandler(io.StringIO())
    options = {name: value for name, value in made.items() if name != "()"}
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(**options))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler.stream
    root.setLevel(before)
    root.removeHandler(handler)


def everything_in_the_database() -> str:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows: list[Any] = []
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows += cursor.fetchall()
    return repr(rows)


def test_the_database_holds_no_key(canary: Agent) -> None:
    dump = everything_in_the_database()
    assert canary.address in dump
    assert canary.encrypted_key in dump
    assert CANARY not in dump


def test_no_page_shows_the_key(canary: Agent, operator: Client, olga: Any) -> None:
    own = reverse("admin:sessions_app_agent_change", args=[canary.pk])
    for address in [own, *ADDRESSES]:
        assert CANARY.encode() not in operator.get(address).content, address
        operator.force_login(olga)  # one of the addresses logs out


def test_a_refused_form_does_not_give_the_key_back(operator: Client, vendor: RunningVendor) -> None:
    answer = operator.post(reverse(ADD), filled(vendor.openai, handle="Not A Handle"))
    assert answer.status_code == 200
    assert b"Not A Handle" in answer.content
    assert CANARY.encode() not in answer.content


def test_no_log_and_no_sentence_holds_the_key(
    canary: Agent, vendor: RunningVendor, logged: io.StringIO
) -> None:
    async def ask() -> Heard:
        try:
            return await hear(provider_of(canary))
        finally:
            await close_client()

    answered = asyncio.run(ask())
    assert vendor.exchanges
    canary.address = "http://127.0.0.1:9/v1"
    failed = asyncio.run(ask()).end
    logging.getLogger("canary").debug("the last line")
    assert isinstance(failed, Failed)
    assert CANARY not in repr(answered) + repr(failed) + repr(provider_of(canary))
    assert "the last line" in logged.getvalue()
    assert CANARY not in logged.getvalue()


ADD_SERVER = "/workspaces/demo/tool-servers/"


@pytest.fixture
def lent(client: Client, olga: Any, tool_server: RunningToolServer) -> ToolServer:
    """A server that alice has added on the page."""
    client.force_login(User.objects.get(username="alice"))
    written = {"name": "canary", "address": tool_server.address, "key": CANARY}
    assert client.post(ADD_SERVER, written).status_code == 302
    return ToolServer.objects.get()


def test_the_database_holds_no_key_of_a_tool_server(lent: ToolServer) -> None:
    dump = everything_in_the_database()
    assert lent.encrypted_key in dump
    assert CANARY not in dump


def test_no_page_no_export_and_no_figure_shows_the_key_of_a_tool_server(
    lent: ToolServer, client: Client, operator: Client, olga: Any
) -> None:
    for address in (ADD_SERVER, f"{ADD_SERVER}{lent.public_id}/", "/workspaces/demo/settings/"):
        assert CANARY.encode() not in client.get(address).content, address
    rows = reverse("admin:sessions_app_toolserver_changelist")
    row = reverse("admin:sessions_app_toolserver_change", args=[lent.pk])
    for address in (rows, row, "/metrics", *ADDRESSES):
        content = operator.get(address).content
        assert CANARY.encode() not in content, address
        assert lent.encrypted_key.encode() not in content, address
        operator.force_login(olga)
    exported = io.StringIO()
    call_command("audit", "--jsonl", stdout=exported)
    assert "create_tool_server" in exported.getvalue()
    assert CANARY not in exported.getvalue() + repr(lent) + str(lent.__dict__)


def test_no_log_and_no_sentence_holds_the_key_of_a_tool_server(
    lent: ToolServer, hostile: Hostile, logged: io.StringIO
) -> None:
    """The real server gives the key back in a result, a hostile one in an error; a third is not there."""

    async def ask(address: str, tool: str) -> str:
        return (await call(Server(address, tool_server_key(lent)), tool, {})).output

    told = [asyncio.run(ask(lent.address, "headers"))]
    faults = ("protocol-error", "status-401", "no-json", "cut", "other-shape")
    told += [asyncio.run(ask(hostile.address(fault), "act")) for fault in faults]
    told.append(asyncio.run(ask("http://127.0.0.1:9/mcp", "act")))
    logging.getLogger("canary").debug("the last line")
    assert "Bearer [hidden]" in told[0]
    assert CANARY not in repr(told) + repr(Server(lent.address, CANARY))
    assert "the last line" in logged.getvalue()
    assert CANARY not in logged.getvalue()
