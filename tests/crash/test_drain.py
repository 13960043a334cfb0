"""F4: SIGTERM while agents answer: everybody is told, everything is saved, and the next server goes on."""

from __future__ import annotations

import random
import signal
import time

import pytest

from tests.crash.checker import problems
from tests.crash.conftest import Watch
from tests.crash.ledger import rarely
from tests.crash.sites import Site
from tests.figures import PrintFigure

QUESTIONS = ("tokens 200 at 50/s", "think 50; tokens 100 at 50/s", "tokens 120 at 50/s; tools 4")
RESTARTS = 3


@pytest.mark.fault("F4 SIGTERM with streams running")
@rarely()
async def test_a_server_that_is_asked_to_end_hands_its_turns_on(
    site: Site, watch: Watch, print_figure: PrintFigure, seed: int
) -> None:
    chance = random.Random(seed)
    observers = [watch(number) for number in range(len(QUESTIONS))]
    server = await site.restart()
    for observer, question in zip(observers, QUESTIONS, strict=True):
        await observer.post(question)
    await observers[0].until_said(chance.randrange(1, 80))
    asked_at = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert await server.ended() == 0
    print_figure(
        f"F4: the server ended {time.monotonic() - asked_at:.1f} s after SIGTERM, with 3 streams running"
    )
    for observer in observers:
        assert len(observer.told("restarting")) == 1
        assert 1012 in observer.closes
    await site.restart()
    for observer in observers:
        await observer.until_sealed()
    assert problems(site, observers) == []
