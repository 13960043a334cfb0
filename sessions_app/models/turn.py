"""One run of an agent that answers a message, owned by one process through a lease."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from sessions_app.models.conversation import leads_into_sight

if TYPE_CHECKING:
    from sessions_app.models.user import User


class TurnState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    STOPPED = "stopped"
    WITHDRAWN = "withdrawn"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def is_final(self) -> bool:
        return self not in (TurnState.QUEUED, TurnState.RUNNING)


LIVE_STATES = (TurnState.QUEUED, TurnState.RUNNING)


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible_to(self, user: User) -> TurnQuerySet:
        return self.filter(leads_into_sight(user, "session__conversation_id"))

    def live(self) -> TurnQuerySet:
        return self.filter(state__in=LIVE_STATES)


class Turn(models.Model):
    """The holder of `epoch` may append; raising it fences every earlier owner off."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    session = models.ForeignKey("sessions_app.Session", models.PROTECT, db_index=False, related_name="turns")
    agent = models.ForeignKey("sessions_app.Agent", models.PROTECT, related_name="+")
    question = models.ForeignKey("sessions_app.Message", models.PROTECT, related_name="turns")
    reply = models.OneToOneField("sessions_app.Message", models.PROTECT, null=True, related_name="turn")
    supersedes = models.ForeignKey("sessions_app.Message", models.PROTECT, null=True, related_name="+")
    continues = models.ForeignKey("sessions_app.Message", models.PROTECT, null=True, related_name="+")
    asked_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=12, choices=TurnState.choices, default=TurnState.QUEUED)
    reason = models.TextField(blank=True)
    owner = models.CharField(max_length=100, blank=True)
    epoch = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    resumes = models.PositiveSmallIntegerField(default=0)
    context_digest = models.CharField(max_length=64, blank=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")

    objects = TurnQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_turn"
        indexes = [
            models.Index(fields=["state", "id"], condition=Q(state__in=LIVE_STATES), name="live_turns"),
            # The only one that begins with the session: a long one has many turns and hardly ever a live one,
            # and with another to choose from SQLite reads them all for the sake of their order.
            models.Index(fields=["session", "state"], name="turns_of_session_by_state"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=Q(state=TurnState.RUNNING), name="one_running_turn_per_session"
            ),
            models.UniqueConstraint(
                fields=["session", "supersedes"],
                condition=~Q(state=TurnState.WITHDRAWN),
                name="one_turn_per_superseded",
            ),
            models.UniqueConstraint(
                fields=["session", "continues"],
                condition=~Q(state=TurnState.WITHDRAWN),
                name="one_turn_per_continued",
            ),
            models.CheckConstraint(condition=Q(state__in=TurnState.values), name="turn_state_known"),
            models.CheckConstraint(
                condition=~Q(state=TurnState.RUNNING) | Q(reply__isnull=False, lease_until__isnull=False),
                name="running_turn_has_reply_and_lease",
            ),
            models.CheckConstraint(
                condition=Q(state__in=LIVE_STATES, ended_at=None)
                | (~Q(state__in=LIVE_STATES) & Q(ended_at__isnull=False)),
                name="ended_turn_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} turn {self.public_id}"

    @property
    def is_running(self) -> bool:
        return self.state == TurnState.RUNNING

    @property
    def is_live(self) -> bool:
        return self.state in LIVE_STATES
