"""Every write of the process: one transaction after the other on SQLite, bounded retries on PostgreSQL."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import Error, InterfaceError, InternalError, OperationalError, connection, transaction

from sessions_app.errors import DatabaseBusy, NotFound, OutcomeUnknown
from sessions_app.services.fifo_gate import FifoGate

P = ParamSpec("P")
R = TypeVar("R")

# The database may take the same later: it is locked, full, restarting or out of reach.
CANNOT_NOW = (OperationalError, InterfaceError, DatabaseBusy)
RETRY_SECONDS = (0.02, 0.04, 0.06)
# A server that restarts is back within seconds; whoever would wait longer is told so.
RECONNECT_SECONDS = (0.2, 0.8, 2.0)
SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE = "40001", "40P01", "55P03"
LOST_RACES = {SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE}
ADMIN_SHUTDOWN, CRASH_SHUTDOWN, CANNOT_CONNECT_NOW, TOO_MANY_CONNECTIONS = "57P01", "57P02", "57P03", "53300"
SLEPT_TOO_LONG = "25P03"  # in the middle of a transaction, so that the server gave its locks to others
UNREACHABLE = {
    ADMIN_SHUTDOWN,
    CRASH_SHUTDOWN,
    CANNOT_CONNECT_NOW,
    TOO_MANY_CONNECTIONS,
    SLEPT_TOO_LONG,
}
CONNECTION_EXCEPTION = "08"

_GATE = FifoGate()


def one_transaction(service: Callable[P, R]) -> Callable[P, R]:
    """Makes a service one transaction: all of it happens, or nothing and the error is raised. A lost race or a
    lost connection is repeated, unless it was lost in the commit: then nobody knows what happened."""

    @functools.wraps(service)
    def in_transaction(*args: P.args, **kwargs: P.kwargs) -> R:
        attempt = 0
        while True:
            is_complete = False
            try:
                with write_transaction():
                    result = service(*args, **kwargs)
                    is_complete = True
                return result
            except (OperationalError, InterfaceError, InternalError) as error:
                time.sleep(_pause_after(error, attempt=attempt, is_complete=is_complete))
                attempt += 1
            except ObjectDoesNotExist as gone:
                # Somebody purged it between the door and this lock.
                raise NotFound from gone

    return in_transaction


@contextlib.contextmanager
def write_transaction() -> Iterator[None]:
    """A transaction that queues, on SQLite, behind the other writers of this process in the order they came."""
    if connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    with _GATE if connection.vendor == "sqlite" else contextlib.nullcontext(), transaction.atomic():
        yield


def _pause_after(error: Error, *, attempt: int, is_complete: bool) -> float:
    """How long to wait before it is repeated; raises where it must not be or would not help."""
    if connection.vendor == "sqlite":
        if "locked" in str(error):
            raise DatabaseBusy from error
        raise error
    state = getattr(error.__cause__, "sqlstate", None)
    is_lost = _is_lost(state)
    if connection.in_atomic_block or not (is_lost or state in LOST_RACES):
        raise error
    if is_lost:
        connection.close()
        if is_complete:
            raise OutcomeUnknown from error
    pauses = RECONNECT_SECONDS if is_lost else RETRY_SECONDS
    if attempt >= len(pauses):
        raise DatabaseBusy from error
    return pauses[attempt]


def _is_lost(state: str | None) -> bool:
    """What the driver itself says of a connection has no code; everything the server says has one."""
    return state is None or state in UNREACHABLE or state.startswith(CONNECTION_EXCEPTION)
