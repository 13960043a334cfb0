"""A vendor's open stream: closed at once by Stop, patient with our own slowness, and never large in memory."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncGenerator
from contextlib import closing

import pytest

from chat.events import AgentEvent, Failed, Finished, Text
from chat.providers.asking import said_in
from chat.providers.base import ProviderSettings
from chat.providers.failures import VendorFailure
from chat.providers.http import ask
from chat.providers.limits import Limits
from chat.providers.openai_messages import completion_body
from chat.providers.openai_reading import CompletionReading
from chat.providers.question import endpoint, make_question
from tests.chat.providers.hearing import PROMPT, QUICK, WAIT_SECONDS, hear, provider_for, until
from tests.vendors.running import RunningVendor
from tests.vendors.wish import Fault, model_name

pytestmark = pytest.mark.usefixtures("client_closed")

VENDORS = ["openai", "anthropic"]


def open_stream(
    vendor: RunningVendor, name: str, model: str, limits: Limits = QUICK
) -> AsyncGenerator[AgentEvent]:
    stream = provider_for(vendor, name, model, limits).stream(PROMPT)
    assert isinstance(stream, AsyncGenerator)
    return stream


@pytest.mark.parametrize("name", VENDORS)
async def test_closing_the_iterator_closes_the_connection(vendor: RunningVendor, name: str) -> None:
    stream = open_stream(vendor, name, model_name(tokens=100_000, rate=50))
    assert isinstance(await anext(stream), Text)
    await stream.aclose()
    await until(lambda: vendor.exchanges[0].was_hung_up_on)


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("fault", [Fault.HANG_BEFORE_HEADERS, Fault.HANG_BEFORE_FIRST_TOKEN])
async def test_a_cancelled_wait_closes_the_connection(vendor: RunningVendor, name: str, fault: Fault) -> None:
    waiting = asyncio.ensure_future(anext(open_stream(vendor, name, model_name(fault=fault))))
    await until(lambda: len(vendor.exchanges) == 1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await until(lambda: vendor.exchanges[0].was_hung_up_on)


async def test_words_that_arrived_before_the_cut_are_kept_by_a_slow_reader(vendor: RunningVendor) -> None:
    settings = ProviderSettings(
        model=model_name(fault=Fault.CUT, tokens=100, after=50), address=vendor.openai
    )
    body = completion_body(PROMPT, settings, "")
    question = make_question(settings, endpoint(vendor.openai, "/chat/completions"), body, {})
    with closing(await ask(question, QUICK)) as answer:
        await until(lambda: answer._content.exception() is not None)
        reading = CompletionReading(question)
        said = list(said_in(await answer.events(), reading))
        with pytest.raises(VendorFailure, match="broke off"):
            await answer.events()
    assert "".join(event.text for event in said if isinstance(event, Text)) == numbered_words(50)


async def test_our_own_slowness_is_not_the_vendors_silence(vendor: RunningVendor) -> None:
    stream = open_stream(vendor, "openai", model_name(tokens=20, rate=10), Limits(silence_seconds=1.5))
    assert isinstance(await anext(stream), Text)
    await asyncio.sleep(1.6)  # longer than silence may last, while the vendor goes on
    assert isinstance([event async for event in stream][-1], Finished)


@pytest.mark.parametrize("name", VENDORS)
async def test_a_vendor_that_has_said_why_it_stopped_is_not_waited_for_long(
    vendor: RunningVendor, name: str
) -> None:
    limits = Limits(finish_seconds=0.05)
    heard = await hear(provider_for(vendor, name, model_name(fault=Fault.HANG_AFTER_REASON), limits))
    assert isinstance(heard.end, Finished)
    await until(lambda: vendor.exchanges[0].was_hung_up_on)


async def test_a_line_of_ten_megabytes_is_not_held_in_memory(vendor: RunningVendor) -> None:
    provider = provider_for(vendor, "openai", model_name(fault=Fault.LONG_LINE))
    await hear(provider_for(vendor, "openai"))
    tracemalloc.start()
    try:
        heard = await hear(provider)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(heard.end, Failed)
    assert peak < 6 * 1024 * 1024  # both sides of the wire are in this process
    await until(lambda: vendor.exchanges[-1].was_hung_up_on)


@pytest.mark.parametrize("name", VENDORS)
async def test_an_answer_read_to_its_end_leaves_its_connection_to_the_next(
    vendor: RunningVendor, name: str
) -> None:
    provider = provider_for(vendor, name, model_name(fault=Fault.LATE_END))
    for _ in range(3):
        assert isinstance((await hear(provider)).end, Finished)
    assert len({exchange.peer for exchange in vendor.exchanges}) == 1


async def test_many_answers_are_open_at_once(vendor: RunningVendor) -> None:
    model = model_name(fault=Fault.HANG_MID_TOKEN, after=1)
    streams = [open_stream(vendor, "openai", model) for _ in range(150)]
    async with asyncio.timeout(WAIT_SECONDS):
        first = await asyncio.gather(*(anext(stream) for stream in streams))
    assert first == [Text("Holdfast")] * 150
    assert not any(exchange.is_over for exchange in vendor.exchanges)
    for stream in streams:
        await stream.aclose()


def numbered_words(count: int) -> str:
    return " ".join(f"word{number}" for number in range(count))
