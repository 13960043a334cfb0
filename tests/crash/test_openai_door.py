"""F1 at the door for OpenAI's protocol: its official client, unmodified, at a real server that is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from openai import APIConnectionError, AsyncOpenAI, AsyncStream
from openai.types.chat import ChatCompletionChunk

from chat.providers.demo import expected_text
from chat.turns.tools import specs
from sessions_app.services.folding import text_of
from tests.crash.conftest import eventually
from tests.crash.sites import Server, Site, run

SLOW = "tokens 150 at 40/s"
CONVERSATION = "Holdfast-Conversation"


@pytest_asyncio.fixture
async def client(site: Site) -> AsyncIterator[AsyncOpenAI]:
    token = run(site.environment, "-m", "tests.crash.make_token", "person0", "write")
    address = f"http://127.0.0.1:{site.port}/v1"
    async with AsyncOpenAI(api_key=token, base_url=address, max_retries=20) as client:
        yield client


def asked(text: str, *earlier: str) -> list[Any]:
    """What was said before, by turns, and a question."""
    roles = ("user", "assistant")
    said = [{"role": roles[number % 2], "content": said} for number, said in enumerate(earlier)]
    return [*said, {"role": "user", "content": text}]


def answer_to(question: str) -> str:
    return expected_text(question, specs(), ())


async def read_and_kill(server: Server, stream: AsyncStream[ChatCompletionChunk], heard: list[str]) -> None:
    """Reads to the end, and kills the server after some words."""
    async for chunk in stream:
        heard.append(chunk.choices[0].delta.content or "")
        if len(heard) == 20:
            server.kill()


def kept_questions(site: Site) -> dict[str, list[tuple[str, str]]]:
    """Questions and replies of every session in which something was asked; all that is there is sound."""
    facts = site.examined()
    assert facts["findings"] == []
    assert site.defects() == []
    return {
        session: [
            (text_of(found["contents"][turn["question"]]), text_of(found["contents"][turn["reply"]]))
            for turn in found["turns"]
        ]
        for session, found in facts["sessions"].items()
        if found["turns"]
    }


async def test_the_official_client_lists_agents_and_talks_on_in_one_conversation(
    site: Site, client: AsyncOpenAI
) -> None:
    await site.restart()
    assert [model.id async for model in client.models.list()] == ["demo"]
    first = await client.chat.completions.create(model="demo", messages=asked("tokens 5"))
    heard = first.choices[0].message.content or ""
    assert (heard, first.choices[0].finish_reason) == (answer_to("tokens 5"), "stop")
    stream = await client.chat.completions.create(
        model="demo",
        messages=asked("tokens 7", "tokens 5", heard),
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]
    pieces = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    assert "".join(pieces) == answer_to("tokens 7")
    assert chunks[-1].usage is not None
    [said] = kept_questions(site).values()
    assert said == [("tokens 5", heard), ("tokens 7", answer_to("tokens 7"))]


@pytest.mark.fault("F1 kill -9 of the server while OpenAI's client reads a stream")
async def test_a_cut_stream_goes_on_and_the_same_request_hears_it_whole(
    site: Site, client: AsyncOpenAI
) -> None:
    server = await site.restart()
    request: dict[str, Any] = {
        "model": "demo",
        "messages": asked(SLOW),
        "stream": True,
        "extra_headers": {"Idempotency-Key": "one"},
    }
    heard: list[str] = []
    with pytest.raises(APIConnectionError):
        await read_and_kill(server, await client.chat.completions.create(**request), heard)
    assert answer_to(SLOW).startswith("".join(heard))
    assert "".join(heard) != answer_to(SLOW)
    await site.restart()
    again = [chunk async for chunk in await client.chat.completions.create(**request)]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in again) == answer_to(SLOW)
    assert again[-1].choices[0].finish_reason == "stop"
    assert list(kept_questions(site).values()) == [[(SLOW, answer_to(SLOW))]]


@pytest.mark.fault("F1 kill -9 of the server while OpenAI's client waits for a reply")
async def test_a_client_that_tries_again_by_itself_asks_no_second_time(
    site: Site, client: AsyncOpenAI
) -> None:
    server = await site.restart()
    waiting = asyncio.create_task(client.chat.completions.create(model="demo", messages=asked(SLOW)))
    await eventually(lambda: bool(site.owners()), what="the agent answers")
    server.kill()
    await site.restart()
    reply = await waiting
    assert reply.choices[0].message.content == answer_to(SLOW)
    assert list(kept_questions(site).values()) == [[(SLOW, answer_to(SLOW))]]


@pytest.mark.fault("F1 kill -9 of the server, and nobody asks again")
async def test_a_reply_that_nobody_waits_for_is_whole_and_is_talked_on_from(
    site: Site, client: AsyncOpenAI
) -> None:
    server = await site.restart()
    stream = await client.chat.completions.create(model="demo", messages=asked(SLOW), stream=True)
    heard = ""
    async for chunk in stream:
        heard += chunk.choices[0].delta.content or ""
        if len(heard) > 60:
            break
    assert 60 < len(heard) < len(answer_to(SLOW))
    conversation = stream.response.headers[CONVERSATION]
    await stream.close()
    server.kill()
    await site.restart()
    await eventually(lambda: not site.owners(), what="the agent has ended")
    on = await client.chat.completions.with_raw_response.create(
        model="demo", messages=asked("tokens 3", SLOW, heard)
    )
    assert on.headers[CONVERSATION] == conversation
    [said] = kept_questions(site).values()
    assert said == [(SLOW, answer_to(SLOW)), ("tokens 3", answer_to("tokens 3"))]
