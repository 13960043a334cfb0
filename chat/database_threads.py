"""Runs database work for the event loop, on threads that nobody else queues behind.

Django's own way to do this is one thread for the whole process, where everything waits for the slowest query.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
R = TypeVar("R")

READERS, WRITERS, ANSWERERS = 8, 4, 8


class DatabaseThreads:
    """Threads that keep their connection from call to call, as long as it is sound."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._count = name, count
        self._pool: ThreadPoolExecutor | None = None
        self._opened: set[BaseDatabaseWrapper] = set()

    async def run(self, call: Callable[[], R]) -> R:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._count, thread_name_prefix=self._name)
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._called, call)

    def close(self) -> None:
        """Waits for what is under way and closes every connection; the next call begins anew."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        while self._opened:
            opened = self._opened.pop()
            opened.inc_thread_sharing()
            opened.close()

    def _called(self, call: Callable[[], R]) -> R:
        self._opened.add(connections[DEFAULT_DB_ALIAS])
        try:
            return call()
        except Error:
            # A connection that the server has closed never recovers by itself; the next call opens a new one.
            connection.close_if_unusable_or_obsolete()
            raise


_readers = DatabaseThreads("reader", READERS)
# Apart from the readers: who waits for a locked database must not keep others from reading.
_writers = DatabaseThreads("writer", WRITERS)

# What scripts ask for may take long; who follows a stream never waits behind it.
_answerers = DatabaseThreads("answerer", ANSWERERS)

_noters = DatabaseThreads("noter", 1)


async def read(query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a query on a database thread."""
    return await _readers.run(functools.partial(query, *args, **kwargs))


async def write(service: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The same for a service, which may have to wait until the database can be written to."""
    return await _writers.run(functools.partial(service, *args, **kwargs))


async def answer(query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The same for a script's question, however long it takes."""
    return await _answerers.run(functools.partial(query, *args, **kwargs))


async def note(service: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The same for what may come late: whoever writes something that counts never waits behind it."""
    return await _noters.run(functools.partial(service, *args, **kwargs))


def close_threads() -> None:
    """At the end of a process."""
    for threads in (_readers, _writers, _answerers, _noters):
        threads.close()
