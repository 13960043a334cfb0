"""Deletes conversations so that they come back: archived with a mark, and listed for 30 days."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from sessions_app.models import Action, Conversation, User, Workspace
from sessions_app.services.access import Act
from sessions_app.services.audit import Origin, clean_reason, write_entry
from sessions_app.services.conversations import lock_for
from sessions_app.services.transactions import one_transaction

LISTED_DAYS = 30


@one_transaction
def delete_conversation(
    conversation: Conversation, *, by: User | None, origin: Origin, reason: str = ""
) -> Conversation:
    """Afterwards it is in no list but “Recently deleted”; every word of it is kept. Twice is once."""
    conversation = lock_for(conversation, by, Act.CONTROL)
    if conversation.is_deleted:
        return conversation
    now = timezone.now()
    conversation.deleted_at = now
    if not conversation.is_archived:
        conversation.archived_at, conversation.archived_by = now, by
    return _saved(conversation, Action.DELETE, by=by, origin=origin, reason=reason, at=now)


@one_transaction
def undelete_conversation(
    conversation: Conversation, *, by: User | None, origin: Origin, reason: str = ""
) -> Conversation:
    """Afterwards it is where it was before: in the list, or in the archive. Twice is once."""
    conversation = lock_for(conversation, by, Act.CONTROL)
    if not conversation.is_deleted:
        return conversation
    if conversation.archived_at == conversation.deleted_at:
        conversation.archived_at = conversation.archived_by = None
    conversation.deleted_at = None
    return _saved(conversation, Action.UNDELETE, by=by, origin=origin, reason=reason, at=timezone.now())


def recently_deleted(workspace: Workspace, *, user: User) -> QuerySet[Conversation]:
    """What this person may see of it, the last deleted first. Nothing is purged when its days are over."""
    since = timezone.now() - timedelta(days=LISTED_DAYS)
    found = Conversation.objects.visible_to(user).filter(workspace=workspace, deleted_at__gte=since)
    return found.select_related("archived_by", "active_session").order_by("-deleted_at", "-pk")


def _saved(
    conversation: Conversation, action: Action, *, by: User | None, origin: Origin, reason: str, at: datetime
) -> Conversation:
    conversation.save(update_fields=["deleted_at", "archived_at", "archived_by"])
    write_entry(conversation, action, by=by, origin=origin, at=at, reason=clean_reason(reason))
    return conversation
