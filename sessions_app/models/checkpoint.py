"""A named pointer into a session. It copies nothing."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models

from sessions_app.models.conversation import leads_into_sight

if TYPE_CHECKING:
    from sessions_app.models.user import User


class CheckpointKind(models.TextChoices):
    MANUAL = "manual"
    MOVE = "move", "before the active session changed"
    COMPACTION = "compaction", "before compaction"
    IMPORT = "import", "on import"


class CheckpointQuerySet(models.QuerySet["Checkpoint"]):
    def visible_to(self, user: User) -> CheckpointQuerySet:
        return self.filter(leads_into_sight(user, "session__conversation_id"))


class Checkpoint(models.Model):
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    session = models.ForeignKey("sessions_app.Session", models.PROTECT, related_name="checkpoints")
    seq = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64, blank=True)
    message_count = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=12, choices=CheckpointKind.choices)
    taken_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    taken_at = models.DateTimeField()

    objects = CheckpointQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_checkpoint"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=CheckpointKind.values), name="checkpoint_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name
