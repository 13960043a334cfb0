"""A runtime of its own for each test, on the test's event loop, with people and an agent that does as told."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from chat.broadcast.announcing import announce
from chat.database_threads import close_threads, read, write
from chat.turns.runtime import Runtime
from sessions_app.models import Agent, Conversation, Membership, Message, Role, Turn, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.folding import text_of
from sessions_app.services.transcript import Posted, post_message
from sessions_app.services.verify import verify

PATIENCE_SECONDS = 20.0


@dataclass
class Cast:
    """alice owns, mia is a member, vera may only view, bob is a stranger; the agent is Demo."""

    alice: User
    mia: User
    vera: User
    bob: User
    team: Workspace
    agent: Agent
    conversation: Conversation


def make_cast() -> Cast:
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    people = {name: User.objects.create_user(name) for name in ("alice", "mia", "vera", "bob")}
    for name, role in (("alice", Role.OWNER), ("mia", Role.MEMBER), ("vera", Role.VIEWER)):
        Membership.objects.create(workspace=team, user=people[name], role=role)
    agent = Agent.objects.create(workspace=team, name="Demo", handle="demo", provider="demo")
    conversation = start_conversation(
        team, by=people["alice"], key="team:general", title="General", agent=agent
    )
    whole = Conversation.objects.select_related("workspace", "active_session").get(pk=conversation.pk)
    return Cast(**people, team=team, agent=agent, conversation=whole)


@dataclass
class Live:
    """What a test does with a running runtime."""

    runtime: Runtime
    cast: Cast

    async def say(self, text: str, *, by: User | None = None, to: Conversation | None = None) -> Posted:
        """A person posts, as any door does: the service, then the announcement."""
        return await write(_say, to or self.cast.conversation, by or self.cast.alice, text)

    async def turn_of(self, posted: Posted) -> Turn:
        assert posted.turn is not None
        turns = Turn.objects.select_related("reply", "session", "agent")
        return await read(turns.get, pk=posted.turn.pk)

    async def ended(self, posted: Posted) -> Turn:
        """The turn of a message, when it has ended."""

        async def end() -> Turn | None:
            turn = await self.turn_of(posted)
            return None if turn.is_live else turn

        turn: Turn = await eventually(end)
        return turn

    async def reply_to(self, posted: Posted) -> Message:
        turn = await self.ended(posted)
        assert turn.reply is not None
        return turn.reply

    async def is_whole(self) -> None:
        assert (await read(verify)).findings == ()


def _say(conversation: Conversation, author: User, text: str) -> Posted:
    posted = post_message(conversation, by=author, text=text, client_id=uuid.uuid4().hex)
    announce(conversation)
    return posted


async def eventually(look: Callable[[], Awaitable[Any]], *, seconds: float = PATIENCE_SECONDS) -> Any:
    """What `look` finds, as soon as it finds something."""
    until = time.monotonic() + seconds
    while not (found := await look()):
        assert time.monotonic() < until, "it never happened"
        await asyncio.sleep(0.02)
    return found


def words(message: Message) -> str:
    return text_of(message.folded)


@pytest.fixture
async def threads(fresh_database: None) -> AsyncIterator[None]:
    """A database of its own, and threads that speak to it; nothing runs. Threads that an earlier test has left
    speak to another one."""
    await asyncio.to_thread(close_threads)
    yield
    await asyncio.to_thread(close_threads)


@pytest.fixture
async def live(threads: None) -> AsyncIterator[Live]:
    """Runs until the test ends, and must not have broken by then."""
    runtime = Runtime(runs_agents=True)
    cast = await write(make_cast)
    task = asyncio.create_task(runtime.run())
    await asyncio.sleep(0)
    try:
        yield Live(runtime, cast)
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        runtime.owner.release()
