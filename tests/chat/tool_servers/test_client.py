"""Asks a real server of the official SDK, in a process of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chat.tool_servers.client import call, look
from chat.tool_servers.failures import PERHAPS, ToolServerFailure
from chat.tool_servers.limits import Limits
from chat.tool_servers.server import Server
from tests.chat.live import eventually
from tests.chat.network.allowing import allowing
from tests.tool_servers.running import RunningToolServer

SECRET = "mcp-kelp-4711"


@pytest.fixture
def server(tool_server: RunningToolServer) -> Server:
    return Server(tool_server.address, SECRET)


async def nothing_is_left() -> None:
    """Connections that are hung up take a moment to be gone."""

    async def is_alone() -> bool:
        return asyncio.all_tasks() == {asyncio.current_task()}

    await eventually(is_alone)


async def until_written(file: Path, text: str) -> None:
    def is_written() -> bool:
        return file.exists() and file.read_text(encoding="utf-8") == text

    await eventually(lambda: asyncio.to_thread(is_written))


async def test_it_finds_the_tools_under_names_of_their_own(server: Server) -> None:
    found = await look("kelp", server)
    tools = {tool.name: tool for tool in found.tools}
    assert {"kelp__add", "kelp__act", "kelp__watch"} <= tools.keys()
    add = tools["kelp__add"]
    assert (add.remote_name, add.description) == ("add", "Adds two numbers.")
    assert add.parameters["required"] == ["a", "b"]
    assert (add.may_be_repeated, tools["kelp__act"].may_be_repeated) == (True, False)
    assert found.left_out == ()
    await nothing_is_left()


async def test_a_call_gives_what_the_tool_gave(server: Server) -> None:
    answer = await call(server, "add", {"a": 2, "b": 40})
    assert (answer.output, answer.is_error) == ("42", False)
    await nothing_is_left()


async def test_a_tool_that_fails_says_so_itself(server: Server) -> None:
    failed, unknown = await call(server, "fail", {}), await call(server, "nothing", {})
    assert (failed.is_error, unknown.is_error) == (True, True)
    assert "out of kelp" in failed.output
    assert "nothing" in unknown.output


async def test_what_is_no_text_is_named_and_not_shown(server: Server) -> None:
    answer = await call(server, "show", {})
    assert answer.output.split("\n\n") == [
        "a text",
        "[An image of 4 bytes (image/png) came back; it is not shown.]",
        "a note",
        "[A file of 3 bytes (application/zip) came back; it is not shown.]",
    ]


async def test_the_key_is_sent_and_hidden_in_what_comes_back(server: Server) -> None:
    answer = await call(server, "headers", {})
    assert "authorization: Bearer [hidden]" in answer.output
    assert SECRET not in answer.output
    assert "authorization" not in (await call(Server(server.address), "headers", {})).output


async def test_nothing_of_the_environment_goes_along(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login kelp password kelp\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    answer = await call(Server(server.address), "headers", {})
    assert not answer.is_error
    assert "authorization" not in answer.output


async def test_an_answer_that_is_far_too_long_is_not_read(server: Server) -> None:
    answer = await call(server, "flood", {"count": 5_000_000})
    assert answer.is_error
    assert answer.output == f"127.0.0.1 answered with more than 4 MB, so its answer was not read. {PERHAPS}"
    await nothing_is_left()


async def test_a_call_that_takes_too_long_is_called_off(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "acted"
    arguments = {"file": str(file), "line": "once"}
    answer = await call(server, "act_and_hang", arguments, Limits(call_seconds=1))
    assert answer.output == f"127.0.0.1 gave no answer within 1 s and was given up. {PERHAPS}"
    await until_written(file, "once\ncancelled\n")
    await nothing_is_left()


async def test_who_stops_waiting_stops_the_call(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "acted"
    calling = asyncio.create_task(call(server, "act_and_hang", {"file": str(file), "line": "once"}))
    await until_written(file, "once\n")
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await until_written(file, "once\ncancelled\n")
    await nothing_is_left()


async def test_a_server_that_dies_in_a_call_is_an_error(
    mortal_tool_server: RunningToolServer, tmp_path: Path
) -> None:
    file, server = tmp_path / "acted", Server(mortal_tool_server.address)
    calling = asyncio.create_task(call(server, "act_and_hang", {"file": str(file), "line": "once"}))
    await until_written(file, "once\n")
    mortal_tool_server.kill()
    answer = await calling
    assert answer.is_error
    assert answer.output == (
        f"The connection to 127.0.0.1 broke off before the answer was complete. {PERHAPS}"
    )
    gone = await call(server, "add", {"a": 1, "b": 1})
    assert gone.output == "Nothing answers at 127.0.0.1; is the server running?"
    with pytest.raises(ToolServerFailure, match="is the server running"):
        await look("kelp", server)
    await nothing_is_left()


async def test_a_private_address_is_asked_only_where_it_is_allowed(server: Server) -> None:
    with allowing():
        answer = await call(server, "add", {"a": 1, "b": 1})
        with pytest.raises(ToolServerFailure, match="private network"):
            await look("kelp", server)
    assert "HOLDFAST_ALLOW_PRIVATE_PROVIDERS=127.0.0.1" in answer.output
