"""Builds what an agent is sent, from the log alone: the same log gives the same prompt, for ever."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from chat.events import Asked, Prompt, Replied
from chat.turns.prompt_messages import PromptMessage, prompt_messages, reply_messages
from chat.turns.relevant import relevant_messages
from chat.turns.tokens import tokens_of_messages, tokens_of_prompt
from chat.turns.tools import RemoteTool, remote_tools, specs
from sessions_app.canonical import canonical_json
from sessions_app.models import Conversation, Message, SessionEvent, Turn
from sessions_app.services.compaction import Compaction, last_compaction
from sessions_app.services.folding import fold
from sessions_app.services.log import message_events
from sessions_app.services.turn_lease import what_it_is_told

SUMMARY = "This is a summary of the conversation before the messages that follow:\n\n{summary}"
GO_ON = "Your last reply broke off. Go on exactly where it ends; repeat nothing and do not comment on this."


@dataclass(frozen=True)
class Context:
    """A prompt, its size, and its digest, by which it can be recognised when it is built again.

    `sent` are the messages it was made of, oldest first; `remote` are those of its tools that others run.
    """

    prompt: Prompt
    sent: list[Message]
    limit: int
    remote: tuple[RemoteTool, ...] = ()

    @property
    def tokens(self) -> int:
        return tokens_of_prompt(self.prompt)

    @property
    def digest(self) -> str:
        return hashlib.sha256(canonical_json(asdict(self.prompt)).encode()).hexdigest()


def context_of(turn: Turn) -> Context:
    """What the model is sent when this turn begins. Nothing that was said after that is in it."""
    reply = turn.reply
    assert reply is not None
    told = told_of(reply)
    compaction = last_compaction(turn.session, before_seq=_first_word(reply))
    last = [turn.question, *_continued(turn)]
    left_out = {message.pk for message in last} | {turn.supersedes_id}
    earlier = relevant_messages(turn.session, compaction, before=reply, leaving_out=left_out)
    return _context([*_within(earlier, told["context_limit"]), *last], told, compaction)


def context_now(conversation: Conversation) -> Context | None:
    """What the agent would be sent if it were asked now, without the question; None where there is no agent."""
    session, agent = conversation.active_session, conversation.agent
    if agent is None:
        return None
    told, compaction = what_it_is_told(conversation, agent), last_compaction(session)
    earlier = relevant_messages(session, compaction, before=None, leaving_out=())
    return _context(_within(earlier, told["context_limit"]), told, compaction)


def _context(sent: list[Message], told: dict[str, Any], compaction: Compaction | None) -> Context:
    messages = tuple(part for message in sent for part in prompt_messages(message, message.folded))
    remote = remote_tools(told.get("tool_listings", ()))  # older replies were begun without
    tools = (*specs(told["tools"]), *(tool.spec for tool in remote))
    prompt = Prompt(messages, system=_system(told, compaction), tools=tools)
    return Context(prompt, sent, told["context_limit"], remote)


def told_of(reply: Message) -> dict[str, Any]:
    """The settings that the log says this reply was begun with."""
    started = SessionEvent.objects.get(session_id=reply.session_id, seq=reply.first_seq)
    told: dict[str, Any] = started.content["told"]
    return told


def going_on(prompt: Prompt, reply: Message, *, can_continue: bool) -> Prompt:
    """The prompt with what the reply says so far behind it, for a turn that was handed on or used tools."""
    so_far = tuple(reply_messages(fold(message_events(reply)), with_reasoning=True))
    messages = prompt.messages + so_far
    if not isinstance(messages[-1], Replied):
        return replace(prompt, messages=messages)
    if can_continue:
        return replace(prompt, messages=_joined(messages), continues=True)
    return replace(prompt, messages=(*messages, Asked(GO_ON)))


def _continued(turn: Turn) -> Iterator[Message]:
    """The replies this one goes on with, oldest first."""
    chain, message = [], turn.continues
    while message is not None:
        chain.append(message)
        message = message.continues
    return reversed(chain)


def _within(messages: Iterator[Message], limit: int) -> list[Message]:
    """The newest that the limit has room for, oldest first: more would be refused by the model."""
    tokens, kept = 0, []
    for message in messages:
        tokens += tokens_of_messages(prompt_messages(message, message.folded))
        if tokens > limit:
            break
        kept.append(message)
    return kept[::-1]


def _first_word(reply: Message) -> int:
    """A compaction that was made for this very turn stands between its beginning and its first word."""
    words = SessionEvent.objects.filter(session_id=reply.session_id, seq__gt=reply.first_seq, message=reply)
    found = words.order_by("seq").values_list("seq", flat=True).first()
    return found if found is not None else 2**62


def _system(told: dict[str, Any], compaction: Compaction | None) -> str:
    summary = SUMMARY.format(summary=compaction.payload["summary"]) if compaction else ""
    return "\n\n".join(text for text in (told["system"], summary) if text)


def _joined(messages: tuple[PromptMessage, ...]) -> tuple[PromptMessage, ...]:
    """Two unfinished replies in a row are one to the model."""
    *before, last = messages
    if before and isinstance(before[-1], Replied) and isinstance(last, Replied):
        return (*before[:-1], Replied(before[-1].parts + last.parts))
    return messages
