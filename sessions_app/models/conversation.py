"""The row people see in the sidebar, who is named in it, and what one person keeps about it."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Q

from sessions_app.models.workspace import Membership, Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User


class Answers(models.TextChoices):
    ALWAYS = "always"
    MENTIONED = "mentioned", "when mentioned"


class Openness(models.TextChoices):
    """To whom a conversation is open: to its workspace, to named people and those who manage the workspace, or
    to named people alone."""

    OPEN = "open"
    RESTRICTED = "restricted"
    PRIVATE = "private"


class Level(models.TextChoices):
    """What a named person may do in one conversation, each with all that comes before it."""

    VIEW = "view", "may view"
    WRITE = "write", "may write"
    CONTROL = "control", "may control sessions"


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user: User) -> ConversationQuerySet:
        """Those of one's teams that are open, that one is named in, or that are restricted where one manages."""
        managed = Membership.objects.managing().filter(user_id=user.pk)
        named = Grant.objects.filter(user_id=user.pk)
        return self.filter(
            Q(openness=Openness.OPEN)
            | Q(pk__in=named.values("conversation_id"))
            | Q(openness=Openness.RESTRICTED, workspace__in=managed.values("workspace_id")),
            workspace__in=Workspace.objects.visible_to(user),
        )


def leads_into_sight(user: User, path: str = "conversation_id") -> Exists:
    """For rows that belong to a conversation: the one at the end of `path` is looked at, and not all there are."""
    return Exists(Conversation.objects.visible_to(user).filter(pk=OuterRef(path)))


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
    openness = models.CharField(max_length=10, choices=Openness.choices, default=Openness.OPEN)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_conversation"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "key"], name="one_conversation_per_key"),
            models.CheckConstraint(
                condition=Q(answers__in=Answers.values), name="conversation_answers_known"
            ),
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(archived_at__isnull=False),
                name="deleted_conversation_is_archived",
            ),
            models.CheckConstraint(
                condition=Q(openness__in=Openness.values), name="conversation_openness_known"
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

    @property
    def is_open(self) -> bool:
        return self.openness == Openness.OPEN


class GrantQuerySet(models.QuerySet["Grant"]):
    def visible_to(self, user: User) -> GrantQuerySet:
        return self.filter(leads_into_sight(user))


class Grant(models.Model):
    """Names a person in a conversation. It counts while they are an active member of its workspace, and never
    for more than their role there allows."""

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="grants")
    user = models.ForeignKey("sessions_app.User", models.PROTECT, db_index=False, related_name="grants")
    level = models.CharField(max_length=10, choices=Level.choices)
    given_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    given_at = models.DateTimeField()

    objects = GrantQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_grant"
        constraints = [
            # In this order it answers which conversations somebody is named in without looking at a row.
            models.UniqueConstraint(fields=["user", "conversation"], name="one_grant_per_person"),
            models.CheckConstraint(condition=Q(level__in=Level.values), name="grant_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.get_level_display()} {self.conversation}"


class PersonalStateQuerySet(models.QuerySet["PersonalState"]):
    def visible_to(self, user: User) -> PersonalStateQuerySet:
        return self.filter(leads_into_sight(user), user=user)


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
