"""P1: what is not committed is shown by no door, for as long as the commit may take."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch, eventually
from tests.crash.faults.limits import HELD
from tests.crash.sites import Site

QUESTION = "tokens 400 at 100/s"
SILENCE_SECONDS = 1.5


@pytest.mark.fault("P1 a commit is held back while every door is watched")
async def test_nothing_is_shown_while_its_commit_is_held(site: Site, watch: Watch, tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    await site.restart(hold_commits=str(hold))
    early = watch(person=0)
    await early.post(QUESTION)
    await early.until_said(5)
    hold.touch()
    await eventually(lambda: hold.read_text(encoding="ascii") == HELD, what="the writer holds a batch back")
    end = site.last_seq(early.place)
    late = watch(person=1)
    for observer in (early, late):
        await observer.until_at(end)
    await asyncio.sleep(SILENCE_SECONDS)  # is this silence, or was it only slow?
    assert (early.cursor, late.cursor, site.last_seq(early.place)) == (end, end, end)
    words = "".join(event["payload"]["text"] for event in early.shown if event["kind"] == "text").split()
    page = await site.page(early.place)
    assert f" {words[-1]} " in f"{page} "
    assert f"word{len(words) + 1} " not in f"{page} "
    hold.unlink()
    for observer in (early, late):
        await observer.until_sealed()
    assert problems(site, [early, late]) == []


@pytest.mark.fault("P1 the log grows while somebody subscribes")
async def test_who_subscribes_while_the_log_grows_misses_nothing(
    site: Site, watch: Watch, tmp_path: Path
) -> None:
    hold = tmp_path / "hold"
    await site.restart(hold_subscription=str(hold))
    early, late = watch(person=0), watch(person=1)
    for observer in (early, late):
        await observer.until_live()
    hold.touch()
    late.cut()
    await eventually(lambda: hold.read_text(encoding="ascii") == HELD, what="it knows where the log ends")
    await early.post("tokens 20 at 100/s")
    await early.until_sealed()
    hold.unlink()
    await late.until_sealed()
    assert problems(site, [early, late]) == []
