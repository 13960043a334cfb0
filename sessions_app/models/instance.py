"""This installation's identity, in the database; `data/instance.json` holds its twin."""

from __future__ import annotations

import uuid

from django.db import models


class Instance(models.Model):
    """One row. `purged_events` keeps the count of written events from ever going down."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    purged_events = models.PositiveBigIntegerField(default=0)

    class Meta:
        db_table = "holdfast_instance"
        permissions = [("operate", "May operate every workspace in the admin")]
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_instance")]

    def __str__(self) -> str:
        return str(self.public_id)
