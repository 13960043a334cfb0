"""Finds what was said, in every session, among what a person may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection
from django.db.models import QuerySet

from sessions_app.errors import DatabaseBusy, Invalid
from sessions_app.models import Conversation, Message, User, Workspace
from sessions_app.services.folding import text_of
from sessions_app.services.search.engines import conversation_scope, engine, workspace_scope
from sessions_app.services.search.passage import Segment, passage
from sessions_app.services.search.query import Query, read_query
from sessions_app.services.search.upkeep import catch_up

__all__ = ["Found", "FoundMessage", "FoundTitle", "Segment", "search", "search_conversation"]

PAGE = 20
LARGEST_PAGE = 100
MOST_TITLES = 10
CATCH_UP_SECONDS = 0.1
MOST_ID = 2**63 - 1

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
    with the first page of a search that is not within one conversation. What was deleted is not among it, so
    that a page may be shorter."""
    query = read_query(typed)
    scopes = _scopes(by, workspace, conversation)
    if not query.phrases or not scopes:
        return Found()
    _catch_up()
    below = _below(before, by)
    limit = max(1, min(limit, LARGEST_PAGE))
    ids = engine(connection).find(query, scopes, above=0, below=below, limit=limit + 1)
    messages = Message.objects.visible_to(by).filter(pk__in=ids[:limit], conversation__deleted_at=None)
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
    return [workspace_scope(number) for number in workspaces.order_by("pk").values_list("pk", flat=True)]


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
    ids = engine(connection).find(query, scopes, above=-MOST_ID, below=0, limit=MOST_TITLES)
    conversations = Conversation.objects.visible_to(by).filter(
        pk__in=[-number for number in ids], deleted_at=None
    )
    return tuple(
        FoundTitle(conversation, passage(conversation.title, query))
        for conversation in conversations.order_by("-touched_at")
    )
