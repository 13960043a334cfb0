"""Notes what an export will hold, under lock: everything behind it is history, and never changes again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, QuerySet
from django.utils import timezone

from sessions_app.errors import TurnRunning
from sessions_app.models import (
    Action,
    Agent,
    AuditChain,
    AuditEntry,
    Checkpoint,
    CheckpointKind,
    Conversation,
    Instance,
    Message,
    Openness,
    Session,
    Turn,
    User,
)
from sessions_app.services.access import Act
from sessions_app.services.audit import Origin, chain_of, write_workspace_entry
from sessions_app.services.conversations import lock_for
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transfer.records import (
    AGENT,
    CHECKPOINT,
    CONVERSATION,
    SESSION,
    Record,
    person,
    said,
)

LIVE = (
    "The agent is still answering in this conversation, and an export holds only what is finished. "
    "Stop it or wait for it; nothing was exported."
)


@dataclass(frozen=True)
class Head:
    """The first records, and where each session and the audit chain ended."""

    conversation_id: int
    instance: str
    first: list[Record]
    ends: list[End]
    entries: QuerySet[AuditEntry]


@dataclass(frozen=True)
class End:
    """How far a session goes: its last event and its last turn."""

    session_id: int
    number: int
    last_seq: int
    last_turn: int


@one_transaction
def open_export(conversation: Conversation, *, by: User | None, origin: Origin, form: str) -> Head:
    """Afterwards the workspace's audit log says who took the conversation out of the house, in which form. Its own
    chain says nothing of it: an export must not differ from the one before for having been made."""
    conversation = lock_for(conversation, by, Act.READ)
    head = note_head(conversation)
    _record(conversation, by=by, origin=origin, form=form)
    return head


@one_transaction
def open_reading(conversation: Conversation, *, by: User | None, origin: Origin, form: str) -> Session:
    """The same for a form that is only read: the active session, as far as it goes now."""
    conversation = lock_for(conversation, by, Act.READ)
    _record(conversation, by=by, origin=origin, form=form)
    found = Session.objects.select_related("conversation__workspace")
    return found.get(pk=conversation.active_session_id)


def _record(conversation: Conversation, *, by: User | None, origin: Origin, form: str) -> None:
    write_workspace_entry(
        conversation.workspace,
        Action.EXPORT_CONVERSATION,
        by=by,
        origin=origin,
        at=timezone.now(),
        exported=named(conversation),
        format=form,
    )


def named(conversation: Conversation) -> dict[str, str]:
    """As a workspace's audit log names it: what is private is not told to those who may not see it."""
    told = {"id": str(conversation.public_id)}
    if conversation.openness == Openness.PRIVATE:
        return told
    return {**told, "key": conversation.key, "title": conversation.title}


def note_head(conversation: Conversation) -> Head:
    """Of a locked conversation. Refused while a turn is live: half a reply has neither a seal nor a digest."""
    locked = Session.objects.select_for_update(no_key=True).filter(conversation=conversation).order_by("pk")
    ends = list(locked.values_list("pk", "number", "last_seq"))
    sessions = Session.objects.filter(conversation=conversation)
    turns = Turn.objects.filter(session__in=sessions)
    if turns.live().exists():
        raise TurnRunning(LIVE)
    last_turns = dict(turns.values_list("session").annotate(Max("pk")).values_list("session", "pk__max"))
    chain = chain_of(conversation)
    length = AuditChain.objects.get(name=chain).length
    return Head(
        conversation.pk,
        str(Instance.objects.get_or_create(pk=1)[0].public_id),
        list(_first(conversation, sessions, turns)),
        [End(pk, number, seq, last_turns.get(pk, 0)) for pk, number, seq in ends],
        AuditEntry.objects.filter(chain=chain, number__lte=length),
    )


def _first(
    conversation: Conversation, sessions: QuerySet[Session], turns: QuerySet[Turn]
) -> Iterator[Record]:
    messages = Message.objects.filter(conversation=conversation)
    checkpoints = Checkpoint.objects.filter(session__in=sessions).exclude(kind=CheckpointKind.IMPORT)
    yield from _all("conversation", Conversation.objects.filter(pk=conversation.pk), CONVERSATION, "pk")
    people = {
        conversation.started_by_id,
        conversation.archived_by_id,
        *_distinct(sessions, "started_by_id"),
        *_distinct(messages, "author_id"),
        *_distinct(turns, "asked_by_id", "ended_by_id"),
        *_distinct(checkpoints, "taken_by_id"),
        *_distinct(AuditEntry.objects.filter(chain=chain_of(conversation)), "actor_id"),
    }
    found = User.objects.filter(pk__in=_some(people)).order_by("public_id")
    yield from map(person, found.values("public_id", "username", "display_name"))
    agents = {conversation.agent_id, *_distinct(messages, "agent_id"), *_distinct(turns, "agent_id")}
    yield from _all("agent", Agent.objects.filter(pk__in=_some(agents)), AGENT, "public_id")
    yield from _all("session", sessions, SESSION, "number")
    yield from _all("checkpoint", checkpoints, CHECKPOINT, "pk")


def _all(name: str, rows: QuerySet[Any], fields: Any, order: str) -> Iterator[Record]:
    for row in rows.order_by(order).values(*fields.values()):
        yield said(name, fields, row)


def _some(ids: set[int | None]) -> set[int]:
    return {pk for pk in ids if pk is not None}


def _distinct(rows: QuerySet[Any], *columns: str) -> set[int | None]:
    return {
        value for column in columns for value in rows.order_by().values_list(column, flat=True).distinct()
    }
