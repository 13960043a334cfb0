"""One transcript: an immutable past and a growing end."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from sessions_app.models.conversation import Conversation, leads_into_sight

if TYPE_CHECKING:
    from sessions_app.models.user import User


class SessionQuerySet(models.QuerySet["Session"]):
    def visible_to(self, user: User) -> SessionQuerySet:
        return self.filter(leads_into_sight(user))


class Session(models.Model):
    """Its history is the parent's messages sealed up to `parent_seq`, then its own.

    A session is born archived; only a pointer move with its audit entry makes it active.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="forks")
    parent_seq = models.PositiveBigIntegerField(null=True)
    base_digest = models.CharField(max_length=64, blank=True)
    base_count = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveBigIntegerField(default=0)
    head_digest = models.CharField(max_length=64, blank=True)
    sealed_count = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    started_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    archived_at = models.DateTimeField(null=True)
    archived_reason = models.TextField(blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_session"
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="one_session_per_number"),
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(archived_at=None), name="one_active_session"
            ),
            models.CheckConstraint(condition=Q(pk__gt=Conversation.NOWHERE), name="session_id_is_somewhere"),
            models.CheckConstraint(
                condition=Q(parent=None, parent_seq=None) | Q(parent__isnull=False, parent_seq__isnull=False),
                name="fork_names_parent_and_seq",
            ),
        ]

    def __str__(self) -> str:
        return f"session {self.number}"

    @property
    def is_active(self) -> bool:
        return self.archived_at is None

    @property
    def message_count(self) -> int:
        """Sealed messages a reader of this session sees, inherited ones included."""
        return self.base_count + self.sealed_count
