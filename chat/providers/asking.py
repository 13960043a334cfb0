"""Drives one answer to its end: asks again while nothing was said, and makes every failure an event."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import closing
from typing import Protocol

import structlog

from chat.events import AgentEvent
from chat.providers import failures
from chat.providers.answer import Answer
from chat.providers.failures import VendorFailure
from chat.providers.http import ask
from chat.providers.limits import Limits
from chat.providers.question import Question
from chat.providers.shapes import Misshapen
from chat.providers.sse import ServerSentEvent

log = structlog.get_logger(__name__)


class Reading(Protocol):
    """One vendor's way to say things, read into ours; made anew for each try.

    `is_finishing` says that the vendor has named its reason to stop, `is_complete` that nothing may follow.
    `conclude` gives the tool calls and the end, or raises where the vendor has not said that it is done.
    """

    @property
    def is_finishing(self) -> bool: ...

    @property
    def is_complete(self) -> bool: ...

    def read(self, event: ServerSentEvent) -> Iterable[AgentEvent]: ...

    def conclude(self) -> Iterator[AgentEvent]: ...


async def stream_answer(
    make_question: Callable[[], Question], make_reading: Callable[[Question], Reading], limits: Limits
) -> AsyncIterator[AgentEvent]:
    """Everything the vendor says, then exactly one `Finished` or `Failed`."""
    tries, has_spoken, host = 0, False, "The vendor"
    while True:
        tries += 1
        try:
            question = make_question()
            reading, host = make_reading(question), question.host
            with closing(await ask(question, limits)) as answer:
                while events := await next_events(answer, reading):
                    for said in said_in(events, reading):
                        has_spoken = True
                        answer.mark_spoken()
                        yield said
            for said in reading.conclude():
                yield said
            return
        except Exception as error:
            failure = understood(error, host)
        pause = None if has_spoken else pause_before_next_try(failure, tries, limits)
        if pause is None:
            yield failure.as_event()
            return
        await asyncio.sleep(pause)


async def next_events(answer: Answer, reading: Reading) -> list[ServerSentEvent]:
    """What breaks once the vendor has named its reason to stop takes nothing from its answer."""
    if reading.is_complete:
        await answer.wait_for_last_bytes()
        return []
    if not reading.is_finishing:
        return await answer.events()
    answer.mark_finishing()
    try:
        return await answer.events()
    except VendorFailure:
        return []


def said_in(events: list[ServerSentEvent], reading: Reading) -> Iterator[AgentEvent]:
    for event in events:
        yield from reading.read(event)


def understood(error: Exception, host: str) -> VendorFailure:
    if isinstance(error, VendorFailure):
        return error
    if isinstance(error, Misshapen):
        return failures.unreadable(host)
    log.error("provider_failed_unforeseen", exc_info=error)
    return failures.unforeseen()


def pause_before_next_try(failure: VendorFailure, tries: int, limits: Limits) -> float | None:
    """None where asking again is no use. Pauses double and differ: many turns do not return at one moment."""
    if not failure.is_worth_another_try or tries >= limits.most_tries:
        return None
    asked = failure.retry_after_seconds
    if asked is None:
        return limits.first_pause_seconds * (1 << (tries - 1)) * random.uniform(0.5, 1.5)
    if asked > limits.longest_pause_seconds:
        return None
    return asked + limits.first_pause_seconds * random.random()
