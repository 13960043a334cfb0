"""Points at which the process kills itself, the nth time it gets there: no handler, no `finally`, no goodbye."""

from __future__ import annotations

import functools
import itertools
import os
import signal
from collections.abc import Callable
from typing import Any

from chat.consumers import conversation as consumer
from chat.turns import recovery, runner, runtime, supervisor
from sessions_app.services import ending, journal, turn_lease

Kill = Callable[[int], None]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def before(owner: Any, name: str) -> Kill:
    return lambda nth: _wrap(owner, name, nth, is_before=True)


def after(owner: Any, name: str) -> Kill:
    return lambda nth: _wrap(owner, name, nth, is_before=False)


def _wrap(owner: Any, name: str, nth: int, *, is_before: bool) -> None:
    """Works for coroutine functions too where the kill comes before: they are called, then awaited."""
    function, calls = getattr(owner, name), itertools.count(1)

    @functools.wraps(function)
    def dying(*args: Any, **kwargs: Any) -> Any:
        is_here = next(calls) == nth
        if is_here and is_before:
            die()
        result = function(*args, **kwargs)
        if is_here:
            die()
        return result

    setattr(owner, name, dying)


# Inside a transaction nothing is committed yet; after it everything is, and nobody has been told.
KILLS: dict[str, Kill] = {
    "kill_after_post": after(consumer, "perform"),
    "kill_in_claim": after(turn_lease, "append"),
    "kill_after_claim": after(supervisor, "claim_turn"),
    "kill_before_first_token": before(runner.Runner, "run"),
    "kill_in_batch": after(journal, "_insert"),
    "kill_after_commit": before(runtime.Runtime, "_deliver"),
    "kill_after_delivery": after(runtime.Runtime, "_deliver"),
    "kill_before_sealing": before(ending, "seal_from_events"),
    "kill_after_sealing": after(ending, "seal_from_events"),
    "kill_after_end": after(runner, "finish_turn"),
    "kill_in_recovery": after(recovery, "settle_orphan"),
    "kill_in_handing_on": after(supervisor, "release_lease"),
}
