"""A tool server may do anything at all: a look or a call ends with a sentence, in time, and leaves nothing."""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import quote

import pytest

from chat.tool_servers.client import call, look
from chat.tool_servers.failures import PERHAPS, ToolServerFailure
from chat.tool_servers.limits import Limits
from chat.tool_servers.server import Server
from tests.chat.live import eventually
from tests.chat.tool_servers.test_client import nothing_is_left
from tests.tool_servers.hostile import FAULTS, Hostile
from tests.vendors.running import RunningVendor

SECRET = "mcp-kelp-4711"
MOST_BYTES = 2 * 1024 * 1024
NOT_READ, CUT_OFF, NOT_ACCEPTED = "sent something that cannot be read", "broke off", "did not accept"
IN_TIME, NO_TOOL_SERVER, TOO_MUCH = "no answer within 1 s", "no tool server says", "more than 2 MB"
SAYS = {
    "status-400": "refused the request (400)",
    "status-401": NOT_ACCEPTED,
    "status-403": NOT_ACCEPTED,
    "status-404": "knows no tool server",
    "status-405": "knows no tool server",
    "status-418": "refused the request (418)",
    "status-429": "takes no more calls",
    "status-500": "has trouble of its own (500)",
    "status-503": "has trouble of its own (503)",
    **{f"redirect-{number}": "points to another address" for number in (301, 302, 303, 307, 308)},
    "web-page": NO_TOOL_SERVER,
    "no-json": NOT_READ,
    "deep-json": NOT_READ,
    "no-events": NOT_READ,
    "early-end": CUT_OFF,
    "cut": CUT_OFF,
    "silence": IN_TIME,
    "trickle": IN_TIME,
    "flood": TOO_MUCH,
    "endless-line": TOO_MUCH,
    "packed": NOT_READ,
    "other-id": NOT_READ,
    "other-shape": NOT_READ,
    "protocol-error": "no kelp today",
}
# Where the tool may have done what it does, though there is no result.
CERTAINLY_NOT = {name for name in SAYS if name.startswith(("status-4", "redirect", "protocol"))}


def test_every_fault_is_tried() -> None:
    assert SAYS.keys() == FAULTS.keys() - {"chatter"}


def limits(fault: str) -> Limits:
    """Short only for what never ends: a busy machine takes its time for the rest."""
    seconds = 1 if SAYS.get(fault) == IN_TIME else 60
    return Limits(look_seconds=seconds, call_seconds=seconds, answer_bytes=MOST_BYTES)


@pytest.mark.parametrize("fault", SAYS)
async def test_whatever_it_does_to_a_call_is_a_sentence(hostile: Hostile, fault: str) -> None:
    answer = await call(Server(hostile.address(fault), SECRET), "act", {}, limits(fault))
    assert answer.is_error
    assert SAYS[fault] in answer.output
    assert answer.output.endswith(PERHAPS) is (fault not in CERTAINLY_NOT)
    assert SECRET not in answer.output
    await nothing_is_left()


@pytest.mark.parametrize("fault", SAYS)
@pytest.mark.parametrize("when", ["", "first/"])
async def test_whatever_it_does_to_a_look_is_a_sentence(hostile: Hostile, when: str, fault: str) -> None:
    with pytest.raises(ToolServerFailure) as failure:
        await look("kelp", Server(hostile.address(f"{when}{fault}"), SECRET), limits(fault))
    assert SAYS[fault] in str(failure.value)
    assert PERHAPS not in str(failure.value)
    await nothing_is_left()


async def test_what_it_says_beside_the_answer_does_no_harm(
    hostile: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        answer = await call(Server(hostile.address("chatter")), "act", {})
    assert (answer.output, answer.is_error) == ("after all", False)
    assert "xxxxx" not in caplog.text


async def test_a_redirect_is_followed_nowhere(hostile: Hostile, vendor: RunningVendor) -> None:
    where = quote(f"http://127.0.0.1:{vendor.port}/v1/chat/completions", safe="")
    for number in (301, 302, 303, 307, 308):
        await call(Server(hostile.address(f"redirect-{number}?to={where}")), "act", {})
        await call(Server(hostile.address(f"first/redirect-{number}?to={where}")), "act", {})
    assert not vendor.exchanges
    assert not [path for _, path in hostile.asked if path == "/elsewhere"]


async def test_who_stops_does_not_wait_for_a_server_that_is_silent(hostile: Hostile) -> None:
    patient = Limits(call_seconds=3_600, goodbye_seconds=0.2)
    calling = asyncio.create_task(call(Server(hostile.address("silence")), "act", {}, patient))

    async def is_asked() -> bool:
        return len(hostile.asked) == 3

    await eventually(is_asked)
    calling.cancel()
    async with asyncio.timeout(20):
        with pytest.raises(asyncio.CancelledError):
            await calling
    called, called_off = hostile.messages[2:]
    assert called_off["method"] == "notifications/cancelled"
    assert called_off["params"]["requestId"] == called["id"]
    await nothing_is_left()
