"""Several threads at once, each with a connection of its own, and a way to wait for what they do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.db import connection


def in_threads(*tasks: Callable[[], object]) -> None:
    """All at once; the first error of any of them is raised when all have ended."""
    errors: list[BaseException] = []

    def run(task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]


def wait_for(happened: Callable[[], bool], *, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.002)
    assert happened()
