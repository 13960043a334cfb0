"""Finds what was said, in every session, among what a person may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection
from django.db.models import Model, QuerySet

from sessions_app.errors import DatabaseBusy, Invalid
from sessions_app.models import MANAGERS, Conversation, Membership, Message, Openness, User, Workspace
from sessions_app.services.folding import text_of
from sessions_app.services.search.engines import conversation_scope, engine, workspace_scope
from sessions_app.services.search.passage import Segment, passage
from sessions_app.services.search.query import Query, read_query
from sessions_app.services.search.upkeep import catch_up

__all__ = ["Found", "FoundMessage", "FoundTitle", "Segment", "search", "search_conversation"]

PAGE = 20
LARGEST_PAGE = 100
MOST_TITLES = 10
MOST_NAMED = 200
LARGEST_STEP = 1_000
CATCH_UP_SECONDS = 0.1
MOST_ID = 2**63 - 1

M = TypeVar("M", bound=Model)

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class FoundMessage:
    message: Message
    passage: tuple[Segment, ...]

    @property
    def is_archived(self) -> bool:
        """Whether it is in a session, or in a conversation, that people no longer have before them."""
        return not self.message.session.is_active or self.message.conversation.is_archived


@dataclass(frozen=True)
class FoundTitle:
    conversation: Conversation
    passage: tuple[Segment, ...]


@dataclass(frozen=True)
class Found:
    """The newest first. `more_before` is what the next page is asked for with; empty on the last page."""

    titles: tuple[FoundTitle, ...] = ()
    messages: tuple[FoundMessage, ...] = ()
    more_before: str = ""


def search(
    typed: str,
    *,
    by: User,
    workspace: Workspace | None = None,
    conversation: Conversation | None = None,
    before: str = "",
    limit: int = PAGE,
) -> Found:
    """A page of what this person may see: in one conversation, in one workspace, or in all of theirs. Titles come
    with the first page of a search that is not within one conversation. What was deleted is not among it."""
    query = read_query(typed)
    scopes = _scopes(by, workspace, conversation)
    if not query.phrases or not scopes:
        return Found()
    _catch_up()
    below = _below(before, by)
    limit = max(1, min(limit, LARGEST_PAGE))
    visible = Message.objects.visible_to(by).filter(conversation__deleted_at=None)
    ids = _among(visible, query, scopes, above=0, below=below, limit=limit + 1)
    messages = visible.filter(pk__in=ids[:limit])
    has_titles = conversation is None and not before
    return Found(
        titles=_titles(query, scopes, by) if has_titles else (),
        messages=_found(messages, query),
        more_before=_public_id(ids[limit - 1]) if len(ids) > limit else "",
    )


def search_conversation(
    conversation: Conversation, typed: str, *, limit: int = PAGE
) -> tuple[FoundMessage, ...]:
    """The same within one conversation, for its own agent."""
    query = read_query(typed)
    if not query.phrases:
        return ()
    _catch_up()
    scopes = [conversation_scope(conversation.pk)]
    ids = engine(connection).find(query, scopes, above=0, below=MOST_ID, limit=limit)
    return _found(Message.objects.filter(conversation=conversation, pk__in=ids), query)


def _scopes(by: User, workspace: Workspace | None, conversation: Conversation | None) -> Sequence[str]:
    if conversation is not None:
        is_visible = Conversation.objects.visible_to(by).filter(pk=conversation.pk).exists()
        return [conversation_scope(conversation.pk)] if is_visible else []
    workspaces = Workspace.objects.visible_to(by)
    if workspace is not None:
        workspaces = workspaces.filter(pk=workspace.pk)
    places = Membership.objects.filter(user_id=by.pk, workspace__in=workspaces).order_by("workspace")
    roles = dict(places.values_list("workspace_id", "role"))
    return [
        *(workspace_scope(number) for number in roles),
        *(workspace_scope(number, Openness.RESTRICTED) for number in roles if roles[number] in MANAGERS),
        *_closed_scopes(by, roles),
    ]


def _closed_scopes(by: User, workspace_ids: Iterable[int]) -> list[str]:
    """The closed conversations they are named in; of very many, all that is closed is looked through."""
    closed = Conversation.objects.filter(grants__user=by, workspace__in=workspace_ids)
    ids = closed.exclude(openness=Openness.OPEN).order_by("pk").values_list("pk", flat=True)
    named = list(ids[: MOST_NAMED + 1])
    if len(named) <= MOST_NAMED:
        return [conversation_scope(number) for number in named]
    kinds = (Openness.RESTRICTED, Openness.PRIVATE)
    return [workspace_scope(number, kind) for number in workspace_ids for kind in kinds]


def _among(
    visible: QuerySet[M],
    query: Query,
    scopes: Sequence[str],
    *,
    above: int,
    below: int,
    limit: int,
    sign: int = 1,
) -> list[int]:
    """The first entries of what is visible. The index narrows and the database decides: what came out of sight
    since it was indexed takes no place on a page, and no page ends with it."""
    index, found, step = engine(connection), list[int](), limit
    while len(found) < limit:
        ids = index.find(query, scopes, above=above, below=below, limit=step)
        rows = set(visible.filter(pk__in=[sign * number for number in ids]).values_list("pk", flat=True))
        found += [number for number in ids if sign * number in rows]
        if len(ids) < step:
            break
        below, step = ids[-1], min(step * 4, LARGEST_STEP)
    return found[:limit]


def _catch_up() -> None:
    """What was said a moment ago is found too; where it cannot be written now, the rest still is."""
    try:
        catch_up(seconds=CATCH_UP_SECONDS)
    except (DatabaseBusy, DatabaseError) as error:
        log.warning("search_index_lags_behind", error=str(error))


def _below(before: str, by: User) -> int:
    if not before:
        return MOST_ID
    try:
        return Message.objects.visible_to(by).get(public_id=before).pk
    except (Message.DoesNotExist, ValidationError) as error:
        raise Invalid("This page of results does not exist; search again.") from error


def _public_id(message_id: int) -> str:
    return str(Message.objects.values_list("public_id", flat=True).get(pk=message_id))


def _found(messages: QuerySet[Message], query: Query) -> tuple[FoundMessage, ...]:
    whole = messages.select_related("session", "conversation", "author", "agent").order_by("-pk")
    return tuple(FoundMessage(message, passage(text_of(message.folded), query)) for message in whole)


def _titles(query: Query, scopes: Sequence[str], by: User) -> tuple[FoundTitle, ...]:
    visible = Conversation.objects.visible_to(by).filter(deleted_at=None)
    ids = _among(visible, query, scopes, above=-MOST_ID, below=0, limit=MOST_TITLES, sign=-1)
    conversations = visible.filter(pk__in=[-number for number in ids]).order_by("-touched_at")
    return tuple(
        FoundTitle(conversation, passage(conversation.title, query)) for conversation in conversations
    )
