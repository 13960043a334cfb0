"""One numbered fact in a session's log. Inserted once, never changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models

from sessions_app.models.conversation import leads_into_sight
from sessions_app.models.session import Session

if TYPE_CHECKING:
    from sessions_app.models.user import User


class EventKind(models.TextChoices):
    MESSAGE_POSTED = "message_posted"
    TURN_QUEUED = "turn_queued"
    TURN_STARTED = "turn_started"
    TURN_RESUMED = "turn_resumed"
    TURN_ENDED = "turn_ended"
    TEXT = "text"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    SEALED = "sealed"
    COMPACTED = "compacted"
    SETTINGS_CHANGED = "settings_changed"
    ARCHIVED = "archived"
    MADE_ACTIVE = "made_active"


class SessionEventQuerySet(models.QuerySet["SessionEvent"]):
    def visible_to(self, user: User) -> SessionEventQuerySet:
        return self.filter(leads_into_sight(user, "session__conversation_id"))


class SessionEvent(models.Model):
    """`payload` is canonical JSON in a text column: jsonb would rewrite numbers and digests would differ.

    A message's events lie between its first and its sealed seq, so `message` needs no index of its own. The few
    facts that belong to no message have one, so that a page finds them among ten thousand pieces of text.
    """

    pk = models.CompositePrimaryKey("session_id", "seq")
    session = models.ForeignKey(Session, models.PROTECT, db_index=False, related_name="events")
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=20, choices=EventKind.choices)
    message = models.ForeignKey(
        "sessions_app.Message", models.PROTECT, null=True, db_index=False, related_name="+"
    )
    payload = models.TextField()
    at = models.DateTimeField()

    objects = SessionEventQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_event"
        indexes = [
            models.Index(
                fields=["session", "seq"], condition=models.Q(message=None), name="facts_of_a_session"
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="event_seq_starts_at_one"),
            models.CheckConstraint(condition=models.Q(kind__in=EventKind.values), name="event_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"

    @property
    def content(self) -> dict[str, Any]:
        """The payload as a dictionary."""
        payload: dict[str, Any] = json.loads(self.payload)
        return payload
