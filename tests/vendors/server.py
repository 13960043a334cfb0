"""The vendors' HTTP server: takes a question in either protocol and answers it as its model's name wishes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from aiohttp import web

from tests.vendors.dialects import ANTHROPIC, OPENAI, REFUSALS, Dialect
from tests.vendors.faults import Stream, hang
from tests.vendors.outlet import Exchange, Outlet
from tests.vendors.wish import Fault, Wish

HTML = "<!DOCTYPE html>\n<html><body><h1>Welcome to the proxy</h1></body></html>\n"


class Vendor:
    """`exchanges` are all requests so far, in order."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self._tries: Counter[str] = Counter()

    def application(self) -> web.Application:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._complete)
        application.router.add_post("/v1/messages", self._message)
        return application

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, OPENAI)

    async def _message(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, ANTHROPIC)

    async def _answer(self, request: web.Request, dialect: Dialect) -> web.StreamResponse:
        body = json.loads(await request.read())
        assert request.transport is not None
        peer = request.transport.get_extra_info("peername")[1]
        exchange = Exchange(request.path, peer, dict(request.headers), body)
        self.exchanges.append(exchange)
        try:
            return await self._fulfil(request, dialect, exchange)
        except (asyncio.CancelledError, ConnectionError):
            exchange.was_hung_up_on = True
            raise
        finally:
            exchange.is_over = True

    async def _fulfil(self, request: web.Request, dialect: Dialect, exchange: Exchange) -> web.StreamResponse:
        body = exchange.body
        wish = self._wish(body["model"])
        if instead := await self._instead_of_an_answer(request, dialect, wish):
            return instead
        if complaint := dialect.refused(body):
            return web.json_response(dialect.error_body(complaint, "invalid_request_error", None), status=400)
        if not body.get("stream") or wish.fault is Fault.JSON_ANSWER:
            return web.json_response(dialect.whole(body, wish))
        outlet = Outlet(request, wish, exchange)
        response = await outlet.open()
        await Stream(outlet, wish, dialect, body).send(dialect.pieces(body, wish))
        return response

    def _wish(self, model: str) -> Wish:
        """A fault that comes a few times only is gone when the same model has been asked so often."""
        wish = Wish.of(model)
        self._tries[model] += 1
        is_past = wish.times and self._tries[model] > wish.times
        return Wish(text=wish.text, rate=wish.rate) if is_past else wish

    async def _instead_of_an_answer(
        self, request: web.Request, dialect: Dialect, wish: Wish
    ) -> web.Response | None:
        match wish.fault:
            case Fault.HANG_BEFORE_HEADERS:
                await hang()
            case Fault.HANG_UP:
                assert request.transport is not None
                request.transport.close()
            case Fault.HTML | Fault.HTML_AS_TEXT as fault:
                return web.Response(
                    text=HTML, content_type="text/html" if fault is Fault.HTML else "text/plain"
                )
            case Fault.JSON_ERROR:
                return web.json_response({"error": "model is still loading"})
            case Fault.REDIRECT:
                return web.Response(status=307, headers={"Location": "/elsewhere"})
        return refusal(request, dialect, wish)


def refusal(request: web.Request, dialect: Dialect, wish: Wish) -> web.Response | None:
    found = REFUSALS.get(wish.fault)
    if found is None:
        return None
    key = request.headers.get(dialect.key_header, "")
    body = dialect.error_body(found.message.replace("{key}", key), found.kind, found.code)
    headers = {"Retry-After": wish.retry_after} if wish.retry_after else {}
    return web.json_response(body, status=found.status, headers=headers)
