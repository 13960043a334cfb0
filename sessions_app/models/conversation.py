"""The row people see in the sidebar, and what one person keeps about it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models

from sessions_app.models.workspace import Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User


class Answers(models.TextChoices):
    ALWAYS = "always"
    MENTIONED = "mentioned", "when mentioned"


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user: User) -> ConversationQuerySet:
        return self.filter(workspace__in=Workspace.objects.visible_to(user))


class Conversation(models.Model):
    """Points at exactly one active session.

    A row is inserted with both pointers at NOWHERE, which names no row: the deferred foreign keys make the
    database refuse a commit that leaves them there, and the guards let them move only by an audit entry.
    """

    NOWHERE = 0

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="conversations")
    key = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    title_is_manual = models.BooleanField(default=False)
    agent = models.ForeignKey("sessions_app.Agent", models.PROTECT, null=True, related_name="conversations")
    system_prompt = models.TextField(blank=True)
    answers = models.CharField(max_length=10, choices=Answers.choices, default=Answers.ALWAYS)
    active_session = models.ForeignKey("sessions_app.Session", models.PROTECT, related_name="+")
    active_entry = models.ForeignKey("sessions_app.AuditEntry", models.PROTECT, related_name="+")
    started_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField()
    touched_at = models.DateTimeField(db_index=True)
    archived_at = models.DateTimeField(null=True)
    archived_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    deleted_at = models.DateTimeField(null=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_conversation"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "key"], name="one_conversation_per_key"),
            models.CheckConstraint(
                condition=models.Q(answers__in=Answers.values), name="conversation_answers_known"
            ),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None) | models.Q(archived_at__isnull=False),
                name="deleted_conversation_is_archived",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def is_deleted(self) -> bool:
        """Deleting is archiving with a mark: everything is still there."""
        return self.deleted_at is not None


class PersonalStateQuerySet(models.QuerySet["PersonalState"]):
    def visible_to(self, user: User) -> PersonalStateQuerySet:
        return self.filter(user=user, conversation__in=Conversation.objects.visible_to(user))


class PersonalState(models.Model):
    """What one person keeps about one conversation; nobody else sees it."""

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="personal_states")
    user = models.ForeignKey("sessions_app.User", models.PROTECT, related_name="+")
    pinned_at = models.DateTimeField(null=True)
    read_session = models.ForeignKey("sessions_app.Session", models.PROTECT, null=True, related_name="+")
    read_seq = models.PositiveBigIntegerField(default=0)
    draft = models.TextField(blank=True)

    objects = PersonalStateQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_personal_state"
        constraints = [
            models.UniqueConstraint(fields=["conversation", "user"], name="one_personal_state"),
        ]

    def __str__(self) -> str:
        return f"{self.user} about {self.conversation}"
