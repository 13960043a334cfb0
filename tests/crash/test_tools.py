"""F11 and P10: a tool acts at most once, whatever happens to it, and never holds up or floods its turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.ledger import rarely
from tests.crash.observer import Observer
from tests.crash.sites import Site


def of_kind(observer: Observer, kind: str) -> list[dict[str, Any]]:
    return [event["payload"] for event in observer.shown if event["kind"] == kind]


@pytest.mark.fault("F11 kill -9 between a tool's effect and its record")
@rarely()
async def test_a_tool_whose_outcome_is_unknown_is_not_run_again(
    site: Site, watch: Watch, tmp_path: Path, seed: int
) -> None:
    acted = tmp_path / "acted"
    server = await site.restart(tool_that_acts_and_dies=str(acted))
    observers = [watch(person=0), watch(person=1)]
    await observers[0].post("tool act once; at 100/s")
    await server.ended()
    await site.restart(tool_that_acts=str(acted))
    for observer in observers:
        await observer.until_sealed()
    assert acted.read_text(encoding="utf-8") == "once\n"
    [end] = of_kind(observers[1], "turn_ended")
    assert "“act”" in end["reason"]
    assert "outcome not known" in await site.page(observers[0].place)
    assert problems(site, observers, state="interrupted") == []


@pytest.mark.fault("F11 a tool that never answers")
async def test_a_tool_that_hangs_is_given_up_and_the_turn_goes_on(site: Site, watch: Watch) -> None:
    await site.restart(tool_that_hangs=True)
    observer = watch()
    await observer.post("tool hang; at 100/s")
    await observer.until_sealed()
    [result] = of_kind(observer, "tool_result")
    assert result["status"] == "error"
    assert "no answer" in result["output"]
    assert [end["state"] for end in of_kind(observer, "turn_ended")] == ["completed"]


@pytest.mark.fault("F11 a tool that returns 50 MB")
async def test_a_tool_that_floods_is_cut_with_a_mark(site: Site, watch: Watch) -> None:
    await site.restart(tool_that_floods=True)
    observer = watch()
    await observer.post("tool flood; at 100/s")
    await observer.until_sealed()
    [result] = of_kind(observer, "tool_result")
    assert len(result["output"]) <= 50_000
    assert "more characters" in result["output"]
    assert [end["state"] for end in of_kind(observer, "turn_ended")] == ["completed"]
