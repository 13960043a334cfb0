"""Runs the vendors' server in a thread of this process, so that a test can look at what it was asked."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from tests.vendors.outlet import Exchange
from tests.vendors.server import Vendor


class RunningVendor:
    """`openai` and `anthropic` are the addresses to give to an agent."""

    def __init__(self, vendor: Vendor, port: int) -> None:
        self.vendor = vendor
        self.port = port
        self.anthropic = f"http://127.0.0.1:{port}"
        self.openai = f"{self.anthropic}/v1"

    @property
    def exchanges(self) -> list[Exchange]:
        return self.vendor.exchanges


async def start(vendor: Vendor, host: str, port: int) -> tuple[web.AppRunner, int]:
    """A handler whose client goes away is cancelled: that is how a hang ends and a Stop is seen."""
    runner = web.AppRunner(
        vendor.application(), handler_cancellation=True, shutdown_timeout=0.1, access_log=None
    )
    await runner.setup()
    site = web.TCPSite(runner, host, port)
    await site.start()
    return runner, runner.addresses[0][1]


@contextmanager
def running_vendor() -> Iterator[RunningVendor]:
    # A handler that is cut or cancelled is the purpose here, not an error to print.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    vendor = Vendor()
    with loop_in_a_thread() as loop:
        runner, port = asyncio.run_coroutine_threadsafe(start(vendor, "127.0.0.1", 0), loop).result(30)
        try:
            yield RunningVendor(vendor, port)
        finally:
            asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(30)


@contextmanager
def loop_in_a_thread() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="vendor")
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
