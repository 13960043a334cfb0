"""How fast scripts may ask: each token, each person and each address, whatever the answer is."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from chat.api.throttles import BURST_SECONDS, TOKENS_A_PERSON
from chat.models import Scope
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live

BURST = BURST_SECONDS  # at one request a second


@pytest.fixture(autouse=True)
def slow(settings: Settings) -> None:
    settings.API_REQUESTS_A_SECOND = 1


async def statuses(caller: Caller, path: str = "me", *, times: int, method: str = "GET") -> list[int]:
    return [(await caller.call(method, path)).status for _ in range(times)]


async def test_a_token_that_asks_too_fast_is_told_how_long_to_wait(live: Live) -> None:
    caller = await caller_of(live.cast.alice)
    assert await statuses(caller, times=BURST) == [200] * BURST
    refused = await caller.get("me")
    assert (refused.status, refused.json["code"]) == (429, "too_fast")
    assert int(refused.headers["Retry-After"]) >= 1


async def test_one_script_that_runs_wild_leaves_room_for_another_of_its_person(live: Live) -> None:
    wild, calm = await caller_of(live.cast.alice), await caller_of(live.cast.alice)
    assert (await statuses(wild, times=5 * BURST)).count(200) < 5 * BURST
    assert await statuses(calm, times=BURST) == [200] * BURST


async def test_all_scripts_of_a_person_together_have_a_limit(live: Live) -> None:
    # So many that a slow machine is not done with them before there is room again.
    callers = [await caller_of(live.cast.alice) for _ in range(4 * TOKENS_A_PERSON)]
    found = [status for caller in callers for status in await statuses(caller, times=BURST)]
    assert found.count(200) < len(found)
    assert await statuses(await caller_of(live.cast.mia), times=1) == [200]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("PATCH", "conversations/team:general", 403), ("GET", "conversations/nothing", 404)],
)
async def test_what_is_refused_counts_too(live: Live, method: str, path: str, status: int) -> None:
    caller = await caller_of(live.cast.alice, Scope.READ)
    assert await statuses(caller, path, times=BURST + 1, method=method) == [status] * BURST + [429]


@pytest.mark.parametrize("token", [None, "hf_nobody_made_this_one"])
async def test_whoever_nobody_knows_is_counted_by_address(live: Live, token: str | None) -> None:
    assert await statuses(Caller(token), times=BURST + 1) == [401] * BURST + [429]
    assert (await Caller("hf_another").get("/v1/models")).status == 429
    assert await statuses(await caller_of(live.cast.alice), times=1) == [200]
