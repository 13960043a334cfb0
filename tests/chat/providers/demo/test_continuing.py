from __future__ import annotations

import pytest

from chat.events import Finished, FinishReason, Reasoning, Text
from tests.chat.providers.demo.talking import (
    TOOLS,
    Part,
    asking,
    calls_of,
    first_characters,
    going_on,
    hear,
    hear_rounds,
    reasoning_of,
    returning,
    text_of,
)

QUESTIONS = (
    "tokens 12 at 0/s",
    "think 8; tokens 8 at 0/s",
    "think, at 0/s; echo  Two  spaces\n\nand a line — with ünïcode 🌊\n",
    "tool calculator 2*(3+4); at 0/s",
    "tokens 20 at 0/s; tools 2",
    "Summarise this conversation\nhello",
)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_reply_cut_at_any_character_goes_on_to_the_same_end(question: str) -> None:
    for prompt, whole in await hear_rounds(asking(question, TOOLS)):
        reasoning, text = reasoning_of(whole), text_of(whole)
        for count in range(1, len(reasoning) + len(text) + 1):
            said = first_characters(whole, count)
            rest = await hear(going_on(prompt, said))
            assert reasoning_of(said) + reasoning_of(rest) == reasoning
            assert text_of(said) + text_of(rest) == text
            assert calls_of(rest) == calls_of(whole)
            assert isinstance(rest[-1], Finished)


async def test_a_reply_cut_twice_goes_on_to_the_same_end() -> None:
    prompt = asking("think 5; tokens 30 at 0/s")
    whole = await hear(prompt)
    said = first_characters(whole, 60)
    said += first_characters(await hear(going_on(prompt, said)), 50)
    rest = await hear(going_on(prompt, said))
    assert text_of(said) + text_of(rest) == text_of(whole)


async def test_nothing_said_yet_is_the_beginning() -> None:
    prompt = asking("think 5; tokens 5 at 0/s")
    assert await hear(going_on(prompt, ())) == await hear(prompt)


async def test_a_partial_reply_after_a_tools_result_goes_on() -> None:
    prompt = asking("tool time; at 0/s", TOOLS)
    after = returning(prompt, await hear(prompt))
    whole = await hear(after)
    rest = await hear(going_on(after, [Text(text_of(whole)[:11])]))
    assert text_of(whole)[:11] + text_of(rest) == text_of(whole)
    assert not calls_of(rest)


async def test_a_call_that_was_made_is_not_made_again() -> None:
    prompt = asking("tool time; at 0/s", TOOLS)
    *said, _ = await hear(prompt)
    rest = await hear(going_on(prompt, [part for part in said if isinstance(part, Part)]))
    assert [type(event) for event in rest] == [Finished]
    assert isinstance(rest[0], Finished)
    assert rest[0].reason is FinishReason.TOOL_CALLS


async def test_text_without_its_reasoning_is_not_thought_about_again() -> None:
    rest = await hear(going_on(asking("think 5; tokens 5 at 0/s"), [Text("word1 wo")]))
    assert reasoning_of(rest) == ""
    assert text_of(rest) == "rd2 word3 word4 word5"


async def test_a_fault_strikes_once_and_the_rest_follows() -> None:
    prompt = asking("tokens 30 at 0/s; fail after 20")
    said = first_characters(await hear(prompt), 1000)
    rest = await hear(going_on(prompt, said))
    assert text_of(said) + text_of(rest) == " ".join(f"word{number}" for number in range(1, 31))
    assert isinstance(rest[-1], Finished)


async def test_a_fault_still_to_come_strikes_whoever_goes_on() -> None:
    prompt = asking("think 3; tokens 30 at 0/s; fail after 20")
    for said in ([Reasoning("thought1 tho")], [Text("word1 wor")]):
        rest = await hear(going_on(prompt, said))
        assert rest[-1] == (await hear(prompt))[-1]
        assert (text_of(said) + text_of(rest)).endswith(" word20")
