"""Ties the runtime to Daphne's loop, and ends both with everything saved: Daphne by itself would just stop."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import structlog
from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor

from chat import wire
from chat.turns.runtime import Runtime

GOODBYE_SECONDS = 0.3
BROKEN = 70  # EX_SOFTWARE: whoever watches the process starts it again, and recovery goes on from the log

log = structlog.get_logger(__name__)

_runtime: Runtime | None = None


def start(runtime: Runtime, loop: asyncio.AbstractEventLoop) -> None:
    """Begins with the loop. A runtime that breaks takes the process with it: half of it alive would be worse."""
    global _runtime
    _runtime = runtime
    task = loop.create_task(runtime.run())
    task.add_done_callback(_ended)


def is_ready() -> bool:
    """Whether this process serves and can save."""
    return _runtime is not None and _runtime.is_ready and not _runtime.hub.is_delayed


class Drain:
    """What happens on SIGTERM. A second signal finds it under way and changes nothing."""

    def __init__(self, server: Server, runtime: Runtime, loop: asyncio.AbstractEventLoop) -> None:
        self._server, self._runtime, self._loop = server, runtime, loop
        self._task: asyncio.Task[None] | None = None

    def begin(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        if self._task is None:
            self._task = self._loop.create_task(self._drain())

    async def _drain(self) -> None:
        log.debug("draining")
        try:
            await self._runtime.drain()
            self._runtime.hub.rooms.tell_everybody(wire.frame("restarting"))
            await asyncio.sleep(GOODBYE_SECONDS)
            self._close_sockets()
            await asyncio.sleep(GOODBYE_SECONDS)
        except Exception:
            log.exception("drain_broke")  # nothing depends on a clean end: the log is complete
        reactor.stop()  # type: ignore[misc]

    def _close_sockets(self) -> None:
        """Through ASGI only 1000 and 3000 to 4999 can be sent; 1012 tells a browser to come straight back."""
        protocols: list[Any] = [p for p in self._server.connections if isinstance(p, WebSocketProtocol)]
        for protocol in protocols:
            if protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=wire.RESTARTING, reasonUtf8=b"restarting", isReply=False)


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("runtime_broke", exc_info=error)
        os._exit(BROKEN)
