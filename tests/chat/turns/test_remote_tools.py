"""Tools of a tool server in a turn: told of, journaled, called within limits, and never the turn's end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from chat.catalogue import CATALOGUE
from chat.database_threads import read, write
from chat.looking import look_at
from chat.tool_servers.failures import PERHAPS
from chat.turns.history import context_of, told_of
from chat.turns.tools import OUTPUT_CHARACTERS, repeatable_names, specs
from chat.turns.tools.remote import SWITCHED_OFF
from sessions_app.models import Message, SessionEvent, ToolServer, TurnState
from sessions_app.services.agents import change_agent
from sessions_app.services.audit import COMMAND
from sessions_app.services.ending import stop_turn
from sessions_app.services.tool_servers import change_tool_server, create_tool_server
from tests.chat.live import Live, words
from tests.chat.network.allowing import allowing
from tests.chat.tool_servers.test_client import until_written
from tests.chat.turns.test_tool_calls import parts
from tests.tool_servers.running import RunningToolServer


async def lend(live: Live, *servers: tuple[str, str]) -> list[ToolServer]:
    """The tools of the servers with these names and addresses, to the agent of the live runtime."""
    cast = live.cast
    made = [
        await write(
            create_tool_server, cast.team, by=cast.alice, catalogue=CATALOGUE, name=name, address=address
        )
        for name, address in servers
    ]
    for server in made:
        await look_at(server, by=cast.alice, origin=COMMAND)
    names = [name for name, _ in servers]
    await write(change_agent, cast.agent, by=cast.alice, catalogue=CATALOGUE, tool_servers=names)
    return made


@pytest.fixture
async def kelp(live: Live, tool_server: RunningToolServer) -> ToolServer:
    [server] = await lend(live, ("kelp", tool_server.address))
    return server


def wish(name: str, **arguments: Any) -> str:
    return f"tool {name} {json.dumps(arguments)}; at 0/s"


async def ask(live: Live, text: str) -> tuple[Message, list[dict[str, Any]]]:
    """The reply, and what came of its calls; the turn has come to its own end."""
    posted = await live.say(text)
    assert (await live.ended(posted)).state == TurnState.COMPLETED
    reply = await live.reply_to(posted)
    return reply, parts(reply, "tool_result")


async def test_a_tool_of_a_server_is_called_and_its_result_is_used(live: Live, kelp: ToolServer) -> None:
    reply, [result] = await ask(live, wish("kelp__add", a=2, b=40))
    assert (result["status"], result["output"]) == ("ok", "42")
    assert "42" in words(reply)
    kinds = await read(lambda: list(SessionEvent.objects.order_by("seq").values_list("kind", flat=True)))
    assert kinds.index("tool_call") < kinds.index("tool_result")
    await live.is_whole()


async def test_an_agent_has_them_only_when_they_were_chosen_for_it(live: Live, kelp: ToolServer) -> None:
    cast = live.cast
    await write(change_agent, cast.agent, by=cast.alice, catalogue=CATALOGUE, tool_servers=[])
    reply, results = await ask(live, wish("kelp__add", a=2, b=40))
    assert results == []
    assert "I was not given a tool called `kelp__add`" in words(reply)


async def test_two_servers_with_tools_of_one_name_are_told_apart(
    live: Live, tool_server: RunningToolServer
) -> None:
    await lend(live, ("kelp", tool_server.address), ("reef", tool_server.address))
    _, results = await ask(
        live, f"{wish('kelp__add', a=1, b=1)}; {wish('reef__add', a=2, b=2)}; tool calculator 3+3"
    )
    assert [result["output"] for result in results] == ["2", "4", "6"]


async def test_the_prompt_can_be_made_again_after_the_list_has_changed(
    live: Live, mortal_tool_server: RunningToolServer
) -> None:
    [server] = await lend(live, ("kelp", mortal_tool_server.address))
    posted = await live.say(wish("kelp__grow"))
    turn = await live.ended(posted)
    told = [spec.name for spec in (await read(context_of, turn)).prompt.tools]
    assert "kelp__grow" in told
    _, [refused] = await ask(live, wish("kelp__grow"))  # models are told of what was last seen
    assert (refused["status"], "grow" in refused["output"]) == ("error", True)
    await look_at(server, by=live.cast.alice, origin=COMMAND)
    again = await read(context_of, turn)
    assert (again.digest, [spec.name for spec in again.prompt.tools]) == (turn.context_digest, told)
    later = await read(context_of, await live.ended(await live.say("hello; at 0/s")))
    names = {spec.name for spec in later.prompt.tools}
    assert ("kelp__grown" in names, "kelp__grow" in names) == (True, False)
    assert len(names) == len(told) == len(specs()) + 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('tool kelp__add {"a": 2}', "'b' is a required property"),
        ('tool kelp__add {"a": 2, "b": "kelp"}', "“b”: 'kelp' is not of type 'integer'"),
        ("tool kelp__add kelp", "“a”: 'kelp' is not of type 'integer'"),
    ],
)
async def test_arguments_that_do_not_fit_are_not_sent(
    live: Live, kelp: ToolServer, text: str, says: str
) -> None:
    _, [result] = await ask(live, f"{text}; at 0/s")
    assert result["status"] == "error"
    assert says in result["output"]
    assert result["output"].endswith("Nothing was done.")


async def test_a_long_result_is_cut_with_a_mark(live: Live, kelp: ToolServer) -> None:
    _, [result] = await ask(live, wish("kelp__flood", count=OUTPUT_CHARACTERS + 1))
    assert result["status"] == "ok"
    assert len(result["output"]) <= OUTPUT_CHARACTERS
    assert "more characters.]" in result["output"]


async def test_a_server_that_is_down_costs_an_error_and_not_the_turn(
    live: Live, mortal_tool_server: RunningToolServer, tmp_path: Path
) -> None:
    await lend(live, ("kelp", mortal_tool_server.address))
    file = tmp_path / "acted"
    posted = await live.say(wish("kelp__act_and_hang", file=str(file), line="once"))
    await until_written(file, "once\n")
    mortal_tool_server.kill()
    assert (await live.ended(posted)).state == TurnState.COMPLETED
    [result] = parts(await live.reply_to(posted), "tool_result")
    assert result["output"].endswith(f"broke off before the answer was complete. {PERHAPS}")
    _, [refused] = await ask(live, wish("kelp__add", a=1, b=1))
    assert refused["output"] == "Nothing answers at 127.0.0.1; is the server running?"


async def test_an_address_that_is_no_longer_allowed_is_not_asked(live: Live, kelp: ToolServer) -> None:
    with allowing():
        _, [result] = await ask(live, wish("kelp__add", a=1, b=1))
    assert "is in a private network" in result["output"]


async def test_a_server_that_was_switched_off_a_moment_ago_is_not_asked(
    live: Live, kelp: ToolServer, tmp_path: Path
) -> None:
    file = tmp_path / "watched"
    posted = await live.say(f"{wish('kelp__watch', file=str(file))}; {wish('kelp__add', a=1, b=1)}")
    await until_written(file, "looking\n")
    await write(change_tool_server, kelp, by=live.cast.alice, catalogue=CATALOGUE, is_active=False)
    (tmp_path / "watched.there").touch()
    assert (await live.ended(posted)).state == TurnState.COMPLETED
    seen, off = parts(await live.reply_to(posted), "tool_result")
    assert (seen["output"], off["output"]) == ("seen", SWITCHED_OFF.format(name="kelp"))


async def test_stop_ends_a_call_on_the_server_too(live: Live, kelp: ToolServer, tmp_path: Path) -> None:
    file = tmp_path / "acted"
    posted = await live.say(wish("kelp__act_and_hang", file=str(file), line="once"))
    await until_written(file, "once\n")
    await write(stop_turn, await live.turn_of(posted), by=live.cast.alice)
    await until_written(file, "once\ncancelled\n")
    assert (await live.ended(posted)).state == TurnState.STOPPED
    [call] = parts(await live.reply_to(posted), "tool_call")
    assert call["status"] == "unknown"
    async with asyncio.timeout(20):
        _, [result] = await ask(live, wish("kelp__add", a=1, b=1))
    assert result["output"] == "2"


async def test_a_server_is_believed_about_its_tools_only_where_somebody_said_so(
    live: Live, kelp: ToolServer
) -> None:
    turn = await live.ended(await live.say("hello; at 0/s"))
    assert turn.reply is not None
    listings = (await read(told_of, turn.reply))["tool_listings"]
    assert await read(repeatable_names, listings) == set()
    await write(change_tool_server, kelp, by=live.cast.alice, catalogue=CATALOGUE, trusts_hints=True)
    assert await read(repeatable_names, listings) == {"kelp__add", "kelp__watch"}
