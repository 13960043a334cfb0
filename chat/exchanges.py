"""Records what comes through the OpenAI-compatible door: appended to what it extends, else begun anew."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from chat.models import Exchange
from sessions_app.canonical import canonical_json, clean_text
from sessions_app.errors import Conflict, Invalid, KeyReused
from sessions_app.models import Agent, Conversation, Message, Turn, User
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import PROMPT_LENGTH, change_settings, start_conversation
from sessions_app.services.folding import fold, text_of
from sessions_app.services.history import newest_message
from sessions_app.services.log import message_events
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transcript import checked_text, post_message

LONGEST_KEY = 100
RETRIED_WITHIN = timedelta(hours=1)
TOLD = "Before this the client had the following conversation elsewhere, as it tells:"


class NobodyAnswers(Conflict):
    code = "nobody_answers"
    sentence = (
        "In this conversation the agent answers only when mentioned, or none is chosen; nothing was sent."
    )


class AgentDiffers(Conflict):
    code = "agent_differs"
    sentence = "Another agent answers in this conversation; name that one as the model. Nothing was sent."


class HistoryDiffers(Conflict):
    code = "history_differs"
    sentence = (
        "The messages before your question are not what this conversation says; nothing was sent. "
        "Send the question alone, or leave the header out to start a new conversation."
    )


@dataclass(frozen=True)
class Said:
    """What a client sends: its system prompt, what it says was said before, and what it asks now."""

    system: str
    earlier: tuple[tuple[str, str], ...]
    question: str

    @property
    def digest(self) -> str:
        return digest_of((*self.earlier, ("user", self.question)))


@dataclass(frozen=True)
class Asked:
    """Who asks whom, in which conversation if one is named, and by which signs a retry is known."""

    by: User
    agent: Agent
    named: Conversation | None
    origin: Origin
    key: str | None
    is_retry: bool


def digest_of(said: tuple[tuple[str, str], ...]) -> str:
    """Blanks at both ends do not count: clients cut them off."""
    pairs = [[role, clean_text(text).strip()] for role, text in said]
    return hashlib.sha256(canonical_json(pairs).encode()).hexdigest()


@one_transaction
def record_exchange(
    said: Said, *, asked: Asked, reachable: Callable[[], QuerySet[Conversation]]
) -> tuple[Turn, bool]:
    """The turn that answers, and whether it is new. A retry gets the turn it had the first time; the door never
    forks, moves no pointer and writes nobody's words but the asking person's."""
    if asked.key is not None and not 0 < len(asked.key) <= LONGEST_KEY:
        raise Invalid(f"An idempotency key has 1 to {LONGEST_KEY} characters; nothing was sent.")
    checked_text(said.question)
    # Of several retries at once the first writes, and the others find what it wrote.
    User.objects.select_for_update(no_key=True).get(pk=asked.by.pk)
    if (earlier := _received_before(said, asked)) is not None:
        return _turn_in(reachable(), earlier), False
    conversation = _place(said, asked, reachable)
    posted = post_message(
        conversation, by=asked.by, text=said.question, client_id=f"openai-{uuid.uuid4().hex}"
    )
    if posted.turn is None:
        raise NobodyAnswers
    Exchange.objects.create(
        user=asked.by,
        digest=said.digest,
        key=asked.key,
        conversation=conversation.public_id,
        question=posted.message.public_id,
    )
    return posted.turn, True


def _received_before(said: Said, asked: Asked) -> Exchange | None:
    rows = Exchange.objects.filter(user=asked.by).order_by("-pk")
    if asked.key is not None:
        found = rows.filter(key=asked.key).first()
        if found is not None and found.digest != said.digest:
            raise KeyReused
        return found
    if not asked.is_retry:
        return None
    rows = rows.filter(key=None, at__gt=timezone.now() - RETRIED_WITHIN)
    if asked.named is not None:
        rows = rows.filter(conversation=asked.named.public_id)
    return rows.filter(digest=said.digest).first()


def _turn_in(reachable: QuerySet[Conversation], exchange: Exchange) -> Turn:
    turns = Turn.objects.filter(session__conversation__in=reachable, supersedes=None, continues=None)
    return turns.get(question__public_id=exchange.question)


def _place(said: Said, asked: Asked, reachable: Callable[[], QuerySet[Conversation]]) -> Conversation:
    if asked.named is not None:
        if asked.named.agent_id != asked.agent.pk:
            raise AgentDiffers
        if said.earlier and _extended(said, asked, reachable().filter(pk=asked.named.pk)) is None:
            raise HistoryDiffers
        return asked.named
    found = _extended(said, asked, reachable()) if said.earlier else None
    if found is None:
        return _begun(said, asked)
    return (
        found if found.agent_id == asked.agent.pk else change_settings(found, by=asked.by, agent=asked.agent)
    )


def _extended(said: Said, asked: Asked, reachable: QuerySet[Conversation]) -> Conversation | None:
    """The conversation whose last words are the ones the client heard last: one look into an index."""
    *before, (_, heard) = said.earlier
    rows = Exchange.objects.filter(user=asked.by, digest=digest_of(tuple(before))).order_by("-pk")[:20]
    for row in rows:
        found = reachable.filter(
            public_id=row.conversation, archived_at=None, workspace=asked.agent.workspace_id
        ).first()
        if found is not None and _ends_with(found, row, heard):
            return found
    return None


def _ends_with(conversation: Conversation, exchange: Exchange, heard: str) -> bool:
    """Who went away early has heard a part of the reply; that is said as well."""
    last = newest_message(conversation.active_session)
    turn = Turn.objects.filter(reply=last, question__public_id=exchange.question).first() if last else None
    if last is None or turn is None:
        return False
    words = text_of(last.folded if last.is_sealed else _so_far(last)).strip()
    return words.startswith(clean_text(heard).strip())


def _so_far(message: Message) -> dict[str, object]:
    return fold(message_events(message))


def _begun(said: Said, asked: Asked) -> Conversation:
    conversation = start_conversation(
        asked.agent.workspace, by=asked.by, agent=asked.agent, origin=asked.origin
    )
    prompt = _prompt(said)
    return change_settings(conversation, by=asked.by, system_prompt=prompt) if prompt else conversation


def _prompt(said: Said) -> str:
    """What the client tells of before goes to the agent as told, never into the transcript as said."""
    room, told = PROMPT_LENGTH - len(said.system) - len(TOLD) - 10, []
    for role, text in reversed(said.earlier):
        line = f"{role}: {text}"
        if (room := room - len(line) - 2) < 0:
            break
        told.append(line)
    return "\n\n".join(text for text in (said.system, TOLD if told else "", *reversed(told)) if text)
