from __future__ import annotations

import threading

import pytest

from sessions_app.services.fifo_gate import FifoGate
from tests.sessions_app.threads import in_threads, wait_for

WRITERS = 8


class Interrupted(BaseException):
    """What Ctrl-C does to somebody who waits."""


def test_it_lets_writers_through_in_the_order_they_came() -> None:
    gate, passed = FifoGate(), []

    def pass_as(number: int) -> None:
        with gate:
            passed.append(number)

    with gate:
        threads = []
        for number in range(WRITERS):
            threads.append(threading.Thread(target=pass_as, args=[number]))
            threads[-1].start()
            wait_for(lambda: len(gate._waiting) == len(threads))
        assert passed == []
    for thread in threads:
        thread.join(30)
    assert passed == list(range(WRITERS))


def test_one_at_a_time_is_inside() -> None:
    gate, inside, most = FifoGate(), 0, 0

    def enter() -> None:
        nonlocal inside, most
        for _ in range(50):
            with gate:
                inside += 1
                most = max(most, inside)
                inside -= 1

    in_threads(*[enter] * WRITERS)
    assert most == 1


@pytest.mark.parametrize("is_let_in", [False, True], ids=["while it waits", "just as it is let in"])
def test_who_is_interrupted_while_waiting_holds_nobody_up(
    is_let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, wait = FifoGate(), threading.Event.wait

    def interrupted(turn: threading.Event, timeout: float | None = None) -> bool:
        if is_let_in:
            gate.__exit__()
        raise Interrupted

    with monkeypatch.context() as patch:
        gate.__enter__()
        patch.setattr(threading.Event, "wait", interrupted)
        with pytest.raises(Interrupted):
            gate.__enter__()
        patch.setattr(threading.Event, "wait", wait)
    if not is_let_in:
        gate.__exit__()
    with gate:
        assert not gate._waiting
