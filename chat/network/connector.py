"""Connects aiohttp only to addresses that were vetted, and to no other than the vetted one."""

from __future__ import annotations

import socket

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from chat.network.vetting import AddressRefused, check_answer, check_host


class HostRefused(aiohttp.ClientError):
    """As a client of aiohttp expects it; its text is the sentence of `AddressRefused`."""


class VettedResolver(AbstractResolver):
    """A name that stands for a private address is refused before anybody connects. The connection is then made to
    what was vetted, so a name that stands for something else a moment later changes nothing."""

    def __init__(self) -> None:
        self._resolver = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._resolver.resolve(host, port, family)
        try:
            check_answer(host, [result["host"] for result in found])
        except AddressRefused as refusal:
            raise HostRefused(str(refusal)) from None
        return found

    async def close(self) -> None:
        await self._resolver.close()


class VettedConnector(aiohttp.TCPConnector):
    """Hosts that are written as an address never come to a resolver, so each is vetted here first."""

    def __init__(self) -> None:
        super().__init__(limit=0, resolver=VettedResolver())

    async def connect(
        self,
        req: ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own signature
    ) -> Connection:
        try:
            check_host(req.url.host or "")
        except AddressRefused as refusal:
            raise HostRefused(str(refusal)) from None
        return await super().connect(req, traces, timeout)
