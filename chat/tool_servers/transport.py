"""Carries the requests of the MCP SDK over vetted connections: no redirects, no proxies, no endless answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import NoReturn

import aiohttp
import httpx

from chat.network.connector import HostRefused, VettedConnector
from chat.tool_servers import failures
from chat.tool_servers.failures import ToolServerFailure
from chat.tool_servers.limits import Limits
from chat.tool_servers.server import Server

CHUNK_BYTES = 64 * 1024
ACCEPTED = 202
STREAM, JSON = "text/event-stream", "application/json"
# What the SDK says of a message; everything else about the connection is ours to say.
PASSED_ON = {"accept", "content-type", "mcp-session-id", "mcp-protocol-version"}


def client_for(limits: Limits) -> aiohttp.ClientSession:
    """Keeps no cookie, takes nothing from the environment, and unpacks nothing: what is read is what was sent."""
    return aiohttp.ClientSession(
        connector=VettedConnector(),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, connect=limits.connect_seconds),
        trust_env=False,
        auto_decompress=False,
    )


class Transport(httpx.AsyncBaseTransport):
    """One look or call. The SDK swallows much of what goes wrong and would wait for ever, so the first failure is
    kept here, and `give_up` ends the waiting."""

    def __init__(
        self, server: Server, limits: Limits, client: aiohttp.ClientSession, give_up: Callable[[], None]
    ) -> None:
        self.failure = ""
        self._server, self._limits, self._client, self._give_up = server, limits, client, give_up
        self._bytes, self._is_perhaps_done = 0, False
        self._call: dict[str, object] = {}
        self._call_headers: dict[str, str] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return await self._post(request)
        if request.method == "DELETE":
            await self._politely("DELETE", self._headers(request))
            return httpx.Response(200)
        # A stream of what a server says unasked is not wanted; servers may lack one, so this is an answer.
        return httpx.Response(405)

    def in_words(self, sentence: str) -> str:
        """Why there is no result; and that the tool may have done something, where it may."""
        return f"{sentence} {failures.PERHAPS}" if self._is_perhaps_done else sentence

    def give_up(self, sentence: str) -> None:
        """Nothing more is waited for; of several reasons the first one counts."""
        self.failure = self.failure or sentence
        self._give_up()

    async def call_off(self) -> None:
        """Says that the result of the call is no longer wanted: hanging up alone means nothing to a server."""
        if self._call and not self.failure:
            params = {"requestId": self._call["id"], "reason": "stopped"}
            message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
            await self._politely("POST", self._call_headers, json.dumps(message).encode())

    async def _post(self, request: httpx.Request) -> httpx.Response:
        body, headers = await request.aread(), self._headers(request)
        if (message := json.loads(body)).get("method") == "tools/call":
            self._is_perhaps_done, self._call, self._call_headers = True, message, headers
        try:
            response = await self._send("POST", headers, body)
        except TimeoutError:
            self._fail(failures.no_answer_in_time(self._server.host, self._limits.connect_seconds))
        except aiohttp.ClientError as error:
            self._is_perhaps_done &= not isinstance(error, HostRefused | aiohttp.ClientConnectorError)
            self._fail(failures.unreachable(self._server.host, error))
        try:
            return self._answer(response, is_question="id" in message)
        except BaseException:
            response.close()
            raise

    def _answer(self, response: aiohttp.ClientResponse, *, is_question: bool) -> httpx.Response:
        host, kind = self._server.host, response.content_type
        if not 200 <= response.status < 300:
            self._is_perhaps_done &= response.status >= 500
            self._fail(failures.status(host, response.status))
        if "Content-Encoding" in response.headers:
            self._fail(failures.unreadable(host))
        if not is_question or response.status == ACCEPTED:
            response.release()
            return httpx.Response(ACCEPTED)
        if kind not in (STREAM, JSON):
            self._fail(failures.no_tool_server(host))
        names = ("mcp-session-id",)
        headers = {name: response.headers[name] for name in names if name in response.headers}
        stream = Body(response, self._pieces(response, is_stream=kind == STREAM))
        return httpx.Response(200, headers={"content-type": kind, **headers}, stream=stream)

    async def _pieces(self, response: aiohttp.ClientResponse, *, is_stream: bool) -> AsyncIterator[bytes]:
        """A stream of events is not read to its end, but to the answer: one that ends has brought none."""
        host = self._server.host
        try:
            async for piece in response.content.iter_chunked(CHUNK_BYTES):
                self._bytes += len(piece)
                if self._bytes > self._limits.answer_bytes:
                    self._fail(failures.too_much(host, self._limits.answer_bytes))
                yield piece
        except aiohttp.ClientError:
            self._fail(failures.cut_off(host))
        if is_stream:
            self._fail(failures.cut_off(host))

    def _headers(self, request: httpx.Request) -> dict[str, str]:
        headers = {name: value for name, value in request.headers.items() if name.lower() in PASSED_ON}
        if self._server.key:
            headers["Authorization"] = f"Bearer {self._server.key}"
        return {**headers, "Accept-Encoding": "identity", "User-Agent": "holdfast"}

    def _fail(self, sentence: str) -> NoReturn:
        self.give_up(sentence)
        raise ToolServerFailure(sentence)

    async def _politely(self, method: str, headers: dict[str, str], body: bytes | None = None) -> None:
        """The answer is of no interest, nor is there any need of one."""
        with contextlib.suppress(aiohttp.ClientError, TimeoutError):
            async with asyncio.timeout(self._limits.goodbye_seconds):
                (await self._send(method, headers, body)).close()

    async def _send(self, method: str, headers: dict[str, str], body: bytes | None) -> aiohttp.ClientResponse:
        address = self._server.address
        return await self._client.request(method, address, data=body, headers=headers, allow_redirects=False)


class Body(httpx.AsyncByteStream):
    """What the SDK reads of an answer. Closed, it hangs up: nothing that a server goes on to send is read."""

    def __init__(self, response: aiohttp.ClientResponse, pieces: AsyncIterator[bytes]) -> None:
        self._response, self._pieces = response, pieces

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces

    async def aclose(self) -> None:
        self._response.close()
