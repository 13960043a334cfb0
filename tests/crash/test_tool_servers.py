"""P10 beyond our own walls: what a tool server did before we died is not done again, unless it may be."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from chat.events import ToolSpec
from chat.turns.tools import specs
from tests.chat.tool_servers.test_client import until_written
from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.ledger import rarely
from tests.crash.sites import Site, run
from tests.crash.test_tools import of_kind
from tests.tool_servers.running import RunningToolServer


async def lend(site: Site, server: RunningToolServer, *words: str) -> tuple[ToolSpec, ...]:
    """What the site's agent is told of from now on."""
    site.environment["HOLDFAST_ALLOW_PRIVATE_PROVIDERS"] = "localhost"
    told = await asyncio.to_thread(
        run, site.environment, "-m", "tests.crash.lend_tools", server.address, *words
    )
    remote = (ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in json.loads(told))
    return (*specs(), *remote)


@pytest.mark.fault("F11 kill -9 while a tool server runs a tool")
@rarely()
async def test_a_call_to_a_tool_server_whose_outcome_is_unknown_is_not_made_again(
    site: Site, watch: Watch, tool_server: RunningToolServer, tmp_path: Path, seed: int
) -> None:
    acted = tmp_path / "acted"
    await lend(site, tool_server, "trusted")
    server = await site.restart()
    observers = [watch(person=0), watch(person=1)]
    await observers[0].post(f'tool kelp__act_and_hang {{"file": "{acted}", "line": "once"}}; at 100/s')
    await until_written(acted, "once\n")
    server.kill()
    await site.restart()
    for observer in observers:
        await observer.until_sealed()
    assert acted.read_text(encoding="utf-8") == "once\n"
    [end] = of_kind(observers[1], "turn_ended")
    assert "“kelp__act_and_hang”" in end["reason"]
    assert "outcome not known" in await site.page(observers[0].place)
    assert problems(site, observers, state="interrupted") == []


@pytest.mark.fault("F11 kill -9 while a tool server runs a tool that may be repeated")
@rarely()
async def test_a_call_that_a_trusted_server_calls_harmless_is_made_again(
    site: Site, watch: Watch, tool_server: RunningToolServer, tmp_path: Path, seed: int
) -> None:
    watched = tmp_path / "watched"
    tools = await lend(site, tool_server, "trusted")
    server = await site.restart()
    observer = watch()
    await observer.post(f'tool kelp__watch {{"file": "{watched}"}}; at 100/s')
    await until_written(watched, "looking\n")
    server.kill()
    await site.restart()
    await until_written(watched, "looking\nlooking\n")
    (tmp_path / "watched.there").touch()
    await observer.until_sealed()
    [result] = of_kind(observer, "tool_result")
    assert result["output"] == "seen"
    assert problems(site, [observer], tools=tools) == []
