from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import pytest

from chat.events import (
    Asked,
    Failed,
    Finished,
    FinishReason,
    Prompt,
    Reasoning,
    Replied,
    Returned,
    Text,
    ToolSpec,
)
from chat.providers.base import ProviderSettings
from chat.providers.demo import DemoProvider, expected_text
from chat.providers.demo.rounds import expected_reasoning
from chat.providers.registry import make_provider
from tests.chat.providers.demo.talking import (
    TOOLS,
    asking,
    calls_of,
    finished_of,
    hear,
    hear_rounds,
    reasoning_of,
    stream_of,
    text_of,
)


def test_the_registry_makes_it_and_it_can_continue() -> None:
    provider = make_provider("demo", ProviderSettings())
    assert isinstance(provider, DemoProvider)
    assert provider.can_continue


async def test_tokens_are_counted_exactly() -> None:
    events = await hear(asking("tokens 500 at 0/s"))
    texts = [event.text for event in events if isinstance(event, Text)]
    assert len(texts) == 500
    assert "".join(texts) == " ".join(f"word{number}" for number in range(1, 501))
    assert finished_of(events).reason is FinishReason.STOP
    assert finished_of(events).usage is not None


@pytest.mark.parametrize(
    "question",
    ["think 7, tokens 9 at 0/s", "markdown; at 0/s", "echo hello", "code; at 0/s; fail after 6"],
)
async def test_the_expected_text_is_what_is_said(question: str) -> None:
    events = await hear(asking(question))
    assert text_of(events) == expected_text(question)
    assert reasoning_of(events) == expected_reasoning(question)


async def test_the_same_prompt_gives_the_same_stream() -> None:
    prompt = asking("think; long; at 0/s")
    assert await hear(prompt) == await hear(prompt)


async def test_tokens_with_tools_are_shared_between_the_rounds() -> None:
    rounds = await hear_rounds(asking("tokens 1000 at 0/s; tools 5", TOOLS))
    assert len(rounds) == 6
    text = "".join(text_of(events) for _, events in rounds)
    assert text == " ".join(f"word{number}" for number in range(1, 1001))
    assert text == expected_text("tokens 1000 at 0/s; tools 5", TOOLS, (Returned("", "", ""),) * 5)
    assert all(text_of(events) for _, events in rounds)


async def test_a_tool_is_called_with_what_was_written_and_its_result_talked_about() -> None:
    (_, first), (_, second) = await hear_rounds(asking("tool calculator 2*(3+4); at 0/s", TOOLS))
    (call,) = calls_of(first)
    assert call.name == "calculator"
    assert json.loads(call.arguments) == {"expression": "2*(3+4)"}
    assert finished_of(first).reason is FinishReason.TOOL_CALLS
    assert "14" in text_of(second)
    assert finished_of(second).reason is FinishReason.STOP


async def test_part_of_a_tools_name_is_enough() -> None:
    (call,) = calls_of(await hear(asking("tool search giant kelp\nat 0/s", TOOLS)))
    assert (call.name, json.loads(call.arguments)) == ("search_history", {"query": "giant kelp"})


async def test_a_tool_that_wants_nothing_is_given_nothing() -> None:
    (call,) = calls_of(await hear(asking("tool time; at 0/s", TOOLS)))
    assert json.loads(call.arguments) == {}


async def test_a_tool_that_is_not_offered_is_not_called() -> None:
    events = await hear(asking("tool checkpoints; at 0/s", TOOLS))
    assert not calls_of(events)
    assert "`checkpoints`" in text_of(events)
    assert "`calculator`" in text_of(events)


async def test_call_ids_are_used_once_in_a_conversation() -> None:
    (_, first), *_ = await hear_rounds(asking("tools 1; at 0/s", TOOLS))
    (call,) = calls_of(first)
    earlier = (
        Asked("tools 1"),
        Replied((call,)),
        Returned(call.id, call.name, "noon"),
        Replied((Text("So."),)),
    )
    (later,) = calls_of(await hear(Prompt((*earlier, Asked("tools 1; at 0/s")), tools=TOOLS)))
    assert later.id != call.id


async def test_a_tools_error_and_long_output_are_told_in_a_fence_of_their_own() -> None:
    result = Returned("call_1", "time", "```\n" + "x" * 5000, is_error=True)
    messages = (Asked("tool time; at 0/s"), Replied(()), result)
    text = text_of(await hear(Prompt(messages, tools=(ToolSpec("time", "The time."),))))
    assert text.startswith("The tool `time` could not do it:\n\n````text\n```\nxxx")
    assert "\n…\n````\n" in text
    assert len(text) < 2000


@pytest.mark.parametrize(("question", "passing"), [("fail after 5", False), ("cut after 5", True)])
async def test_a_failure_comes_after_its_tokens_with_a_sentence(question: str, passing: bool) -> None:
    events = await hear(asking(f"tokens 50 at 0/s; {question}"))
    assert text_of(events) == "word1 word2 word3 word4 word5"
    end = events[-1]
    assert isinstance(end, Failed)
    assert end.sentence.endswith(".")
    assert end.is_passing is passing


@pytest.mark.parametrize(
    ("question", "reason"), [("refuse", FinishReason.REFUSED), ("length after 3", FinishReason.LENGTH)]
)
async def test_an_answer_may_end_in_other_ways(question: str, reason: FinishReason) -> None:
    events = await hear(asking(f"at 0/s; {question}"))
    assert finished_of(events).reason is reason
    assert text_of(events)


async def test_it_hangs_until_it_is_closed() -> None:
    async with aclosing(stream_of(asking("tokens 50 at 0/s; hang after 5"))) as stream:
        said = [await anext(stream) for _ in range(5)]
        assert text_of(said) == "word1 word2 word3 word4 word5"
        waiting = asyncio.ensure_future(anext(stream))
        done, _ = await asyncio.wait([waiting], timeout=0.1)
        assert not done
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


async def test_other_tasks_run_while_it_speaks_as_fast_as_it_can() -> None:
    others = asyncio.ensure_future(hear(asking("tokens 100 at 0/s")))
    async with aclosing(stream_of(asking("tokens 100000 at 0/s"))) as stream:
        async for _ in stream:
            if others.done():
                break
        else:
            pytest.fail("The other stream got no turn.")
    assert isinstance((await others)[-1], Finished)


async def test_an_empty_prompt_is_answered() -> None:
    async with aclosing(stream_of(Prompt(()))) as stream:
        assert isinstance(await anext(stream), Reasoning)
