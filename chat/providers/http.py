"""Asks a vendor over HTTP, with one client for each event loop, and opens the stream that answers."""

from __future__ import annotations

import asyncio

import aiohttp

from chat.network.connector import HostRefused, VettedConnector
from chat.providers import failures
from chat.providers.answer import Answer
from chat.providers.limits import BUFFER_BYTES, REFUSAL_BYTES, REFUSAL_SECONDS, Limits
from chat.providers.question import Question
from chat.providers.refusals import error_in, message_of, quoted, refusal
from chat.providers.shapes import parsed

_clients: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}


def client() -> aiohttp.ClientSession:
    """The running loop's client, made on first use; it keeps no cookie and takes nothing from the environment."""
    loop = asyncio.get_running_loop()
    found = _clients.get(loop)
    if found is None or found.closed:
        _forget_closed_loops()
        found = _clients[loop] = aiohttp.ClientSession(
            connector=VettedConnector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            read_bufsize=BUFFER_BYTES,
            trust_env=False,
        )
    return found


def _forget_closed_loops() -> None:
    for loop in list(_clients):
        if loop.is_closed():
            _clients.pop(loop, None)


async def close_client() -> None:
    """Closes the running loop's client and its connections: for the end of a process, or of a test."""
    found = _clients.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()


async def ask(question: Question, limits: Limits) -> Answer:
    """Sends the question and waits for the answer to begin; raises `VendorFailure` where it does not."""
    response = await _post(question, limits)
    try:
        await _refuse_what_is_no_stream(response, question)
        return Answer(response, question.host, limits)
    except BaseException:
        response.close()
        raise


async def _post(question: Question, limits: Limits) -> aiohttp.ClientResponse:
    try:
        async with asyncio.timeout(limits.headers_seconds):
            return await client().post(
                question.url,
                data=question.body,
                headers=question.headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=None, connect=limits.connect_seconds),
            )
    except aiohttp.ConnectionTimeoutError:
        raise failures.no_connection_in_time(question.host, limits.connect_seconds) from None
    except TimeoutError:
        raise failures.no_answer_in_time(question.host, limits.headers_seconds) from None
    except HostRefused as refusal:
        raise failures.VendorFailure(str(refusal)) from None
    except aiohttp.ClientError as error:
        raise failures.unreachable(question.host, error) from error


async def _refuse_what_is_no_stream(response: aiohttp.ClientResponse, question: Question) -> None:
    host = question.host
    if response.status != 200:
        body = await _beginning(response)
        raise refusal(
            response.status, response.headers, body, host=host, model=question.model, key=question.key
        )
    if response.content_type == "text/html":
        raise failures.web_page(host)
    if response.content_type == "application/json":
        message = message_of(error_in(parsed(await _beginning(response))))
        raise (
            failures.gave_up(host, quoted(message, question.key)) if message else failures.not_a_stream(host)
        )


async def _beginning(response: aiohttp.ClientResponse) -> bytes:
    """As much of a body as an error message needs; a vendor that dawdles with it is not waited for."""
    body = bytearray()
    try:
        async with asyncio.timeout(REFUSAL_SECONDS):
            while len(body) < REFUSAL_BYTES and (chunk := await response.content.read(REFUSAL_BYTES)):
                body += chunk
    except (aiohttp.ClientError, TimeoutError):
        pass
    return bytes(body[:REFUSAL_BYTES])
