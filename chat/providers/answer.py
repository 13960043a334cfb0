"""A vendor's answer while it streams: its events, its limits of time, and its end."""

from __future__ import annotations

import asyncio

import aiohttp

from chat.providers import failures
from chat.providers.failures import VendorFailure
from chat.providers.limits import Limits
from chat.providers.patience import Patience
from chat.providers.sse import EventReader, ServerSentEvent, Trouble

LAST_BYTES_SECONDS = 0.25


class Answer:
    """An open stream. Closing it closes the connection at once, unless the response has come to its own end."""

    def __init__(self, response: aiohttp.ClientResponse, host: str, limits: Limits) -> None:
        self._response = response
        self._content = response.content
        self._host = host
        self._limits = limits
        self._reader = EventReader()
        self._has_spoken = False
        self._failure: VendorFailure | None = None
        self._patience = Patience(limits.first_token_seconds, response.close)
        self._patience.begin()

    async def events(self) -> list[ServerSentEvent]:
        """The next events; none when the stream has come to its proper end."""
        while self._failure is None:
            chunk = await self._chunk()
            events = self._reader.feed(chunk)
            if self._reader.trouble:
                self._failure = self._trouble_as_failure(self._reader.trouble)
            if events or (not chunk and self._failure is None):
                return events
        raise self._failure

    def mark_spoken(self) -> None:
        """Until the first word all time counts, from then on only silence: every byte is a sign of life."""
        if not self._has_spoken:
            self._has_spoken = True
            self._patience.end()
            self._patience.change(self._limits.silence_seconds)

    def mark_finishing(self) -> None:
        self.mark_spoken()
        self._patience.change(self._limits.finish_seconds)

    async def wait_for_last_bytes(self) -> None:
        """A response read to its end leaves its connection to the next question."""
        try:
            async with asyncio.timeout(LAST_BYTES_SECONDS):
                while await self._content.readany():
                    pass
        except (aiohttp.ClientError, TimeoutError):
            self._response.close()

    def close(self) -> None:
        self._patience.close()
        self._response.close()

    async def _chunk(self) -> bytes:
        if self._has_spoken:
            self._patience.begin()
        try:
            return await self._content.readany()
        except aiohttp.ClientError:
            self._failure = (
                self._out_of_patience() if self._patience.is_over else failures.cut_off(self._host)
            )
            return self._arrived_before_the_cut()
        finally:
            if self._has_spoken:
                self._patience.end()

    def _arrived_before_the_cut(self) -> bytes:
        """aiohttp keeps what it has received to itself once the connection has failed. Where we read more slowly
        than it those are words, so the failure is taken back to get at them."""
        self._content.set_exception(None)  # type: ignore[arg-type]
        return self._content.read_nowait()

    def _out_of_patience(self) -> VendorFailure:
        say = failures.fell_silent if self._has_spoken else failures.no_word_in_time
        return say(self._host, self._patience.seconds)

    def _trouble_as_failure(self, trouble: Trouble) -> VendorFailure:
        say = failures.too_long if trouble is Trouble.TOO_LONG else failures.unreadable
        return say(self._host)
