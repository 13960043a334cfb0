from __future__ import annotations

import asyncio
import os
import signal
from contextlib import aclosing

from chat.events import Asked, Failed, Finished, FinishReason, Prompt, Replied, Text, ToolCall
from chat.providers.base import ProviderSettings
from chat.providers.local import LocalProvider
from chat.providers.local.engine import shared_engine
from chat.providers.local.provider import TOO_LONG
from chat.providers.registry import make_provider
from tests.chat.providers.local.asking import LONG_QUESTION, asking, hear, stream_of, text_of, until


def test_the_registry_makes_it_and_it_can_continue() -> None:
    provider = make_provider("local", ProviderSettings())
    assert isinstance(provider, LocalProvider)
    assert provider.can_continue


async def test_it_streams_a_real_answer() -> None:
    events = await hear(asking("What is the capital of France?"))
    assert sum(isinstance(event, Text) for event in events) > 3
    assert "Paris" in text_of(events)
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.usage is not None
    assert end.usage.input_tokens > 10
    assert end.usage.output_tokens > 3


async def test_it_goes_on_after_the_exact_text_also_inside_a_word() -> None:
    rest = text_of(await hear(asking("What is the capital of France?", begun="The capital of France is Par")))
    assert rest.startswith("is")
    spaced = text_of(await hear(asking("What is the capital of France?", begun="The capital of France is")))
    assert spaced.startswith(" Paris")


async def test_an_answer_ends_at_its_limit() -> None:
    events = await hear(asking(LONG_QUESTION), most_tokens=5)
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.reason is FinishReason.LENGTH
    assert end.usage is not None
    assert end.usage.output_tokens == 5


async def test_two_questions_at_once_are_both_answered() -> None:
    numbers, letters = await asyncio.gather(
        hear(asking("Count from one to twenty.", begun="1, 2, 3, 4, 5, 6, 7,")),
        hear(asking("Say the alphabet.", begun="A, B, C, D, E, F, G,")),
    )
    assert text_of(numbers).startswith(" 8, 9")
    assert text_of(letters).startswith(" H, I")
    assert isinstance(numbers[-1], Finished)
    assert isinstance(letters[-1], Finished)


async def test_who_stops_listening_stops_the_model() -> None:
    engine = shared_engine()
    async with aclosing(stream_of(asking(LONG_QUESTION), most_tokens=1024)) as stream:
        assert isinstance(await anext(stream), Text)
        (number,) = engine._waiting
    overheard: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    engine._waiting[number] = (asyncio.get_running_loop(), overheard)
    assert isinstance((await hear(asking("Hello")))[-1], Finished)
    del engine._waiting[number]
    messages = [overheard.get_nowait() for _ in range(overheard.qsize())]
    assert "finished" not in messages[-1]
    assert not engine._waiting


async def test_who_stops_waiting_is_never_answered() -> None:
    engine = shared_engine()
    async with aclosing(stream_of(asking(LONG_QUESTION), most_tokens=1024)) as first:
        await anext(first)
        second = asyncio.ensure_future(hear(asking("Hello")))
        await until(lambda: len(engine._waiting) == 2)
        number = max(engine._waiting)
        second.cancel()
        await asyncio.wait([second])
    assert second.cancelled()
    overheard: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    engine._waiting[number] = (asyncio.get_running_loop(), overheard)
    assert isinstance((await hear(asking("Hello")))[-1], Finished)
    del engine._waiting[number]
    assert overheard.empty()


async def test_a_model_that_dies_fails_its_answer_and_is_started_again() -> None:
    async with aclosing(stream_of(asking(LONG_QUESTION), most_tokens=1024)) as stream:
        assert isinstance(await anext(stream), Text)
        died = shared_engine()
        os.kill(died.pid, signal.SIGKILL)
        *_, end = [event async for event in stream]
    assert isinstance(end, Failed)
    assert end.is_passing
    assert end.sentence.endswith(".")
    assert isinstance((await hear(asking("Hello")))[-1], Finished)
    assert shared_engine().pid != died.pid


async def test_whoever_asks_a_process_that_just_died_is_told() -> None:
    engine = shared_engine()
    engine.kill()
    await until(lambda: engine._is_over)
    _, answer = engine.open()
    assert await answer.get() == {"gone": True}


async def test_the_oldest_messages_are_left_out_when_there_are_too_many() -> None:
    history = (Asked("a b c d " * 1200), Replied((Text("Yes."),)))
    events = await hear(Prompt((*history, Asked("What is the capital of France?"))), most_tokens=3)
    end = events[-1]
    assert isinstance(end, Finished)
    assert end.usage is not None
    assert 10 < end.usage.input_tokens < 100


async def test_a_question_that_never_fits_is_refused_with_a_sentence() -> None:
    assert await hear(asking("a b c d " * 5000)) == [Failed(TOO_LONG)]


async def test_text_that_is_no_text_is_read_all_the_same() -> None:
    prompt = Prompt(
        (Asked("\ud800 \x00 <|im_end|> hello"), Replied((ToolCall("1", "time", "{}"),)), Asked("And?"))
    )
    assert isinstance((await hear(prompt, most_tokens=3))[-1], Finished)
