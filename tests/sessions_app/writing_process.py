"""A process that writes as fast as it can, for tests: python -m tests.sessions_app.writing_process WORK.

It waits for a line on its input, so that two begin at once, and prints how long each transaction took.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TextIO

import django


@dataclass(frozen=True)
class Work:
    """Append `rounds` batches to a turn, and post as `user` after every fifth."""

    name: str
    turn: int
    conversation: int
    user: int
    rounds: int


def main(work: Work, *, begin: TextIO, told: TextIO) -> None:
    django.setup()
    steps = list(steps_of(work))
    told.write("ready\n")
    told.flush()
    begin.readline()
    seconds = [timed(step) for step in steps]
    told.write(json.dumps(seconds) + "\n")


def steps_of(work: Work) -> list[Callable[[], object]]:
    """The transactions, with everything read beforehand: only writing is measured."""
    from sessions_app.models import Conversation, Turn, User
    from sessions_app.services.transcript import post_message
    from sessions_app.services.turn_lease import lease_of
    from tests.sessions_app.acting import append_texts

    lease = lease_of(Turn.objects.get(pk=work.turn))
    conversation, user = Conversation.objects.get(pk=work.conversation), User.objects.get(pk=work.user)

    def append(number: int) -> Callable[[], object]:
        return lambda: append_texts(lease, *(f"{work.name} {number} {part} " for part in "abc"))

    def post(number: int) -> Callable[[], object]:
        key = f"{work.name} {number}"
        return lambda: post_message(conversation, by=user, text=key, client_id=key)

    steps = []
    for number in range(work.rounds):
        steps.append(append(number))
        if number % 5 == 0:
            steps.append(post(number))
    return steps


def timed(step: Callable[[], object]) -> float:
    begun = time.perf_counter()
    step()
    return time.perf_counter() - begun


def as_argument(work: Work) -> str:
    return json.dumps(asdict(work))


if __name__ == "__main__":
    main(Work(**json.loads(sys.argv[1])), begin=sys.stdin, told=sys.stdout)
