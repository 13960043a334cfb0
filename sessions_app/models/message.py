"""What a person reads: open while its turn runs, sealed when it can no longer change."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q

from sessions_app.models.conversation import Conversation, leads_into_sight
from sessions_app.models.session import Session

if TYPE_CHECKING:
    from sessions_app.models.user import User


class MessageRole(models.TextChoices):
    PERSON = "person"
    AGENT = "agent"


class MessageQuerySet(models.QuerySet["Message"]):
    def visible_to(self, user: User) -> MessageQuerySet:
        return self.filter(leads_into_sight(user))


class Message(models.Model):
    """Folded from events. `content` is canonical JSON and empty until the message is sealed.

    `seal_number` counts sealed messages of the session, so that a fork knows its length without counting.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    conversation = models.ForeignKey(Conversation, models.PROTECT, db_index=False, related_name="messages")
    session = models.ForeignKey(Session, models.PROTECT, db_index=False, related_name="messages")
    role = models.CharField(max_length=10, choices=MessageRole.choices)
    author = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    agent = models.ForeignKey("sessions_app.Agent", models.PROTECT, null=True, related_name="+")
    client_id = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is "none", unique ignores it
    supersedes = models.ForeignKey("self", models.PROTECT, null=True, related_name="superseded_by")
    continues = models.ForeignKey("self", models.PROTECT, null=True, related_name="continued_by")
    first_seq = models.PositiveBigIntegerField()
    sealed_seq = models.PositiveBigIntegerField(null=True)
    seal_number = models.PositiveIntegerField(null=True)
    content = models.TextField(blank=True)
    digest = models.CharField(max_length=64, blank=True)
    posted_at = models.DateTimeField()

    objects = MessageQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_message"
        constraints = [
            models.UniqueConstraint(fields=["session", "first_seq"], name="one_message_per_first_seq"),
            models.UniqueConstraint(fields=["session", "sealed_seq"], name="one_message_per_sealed_seq"),
            models.UniqueConstraint(
                fields=["conversation", "author", "client_id"], name="one_message_per_client_id"
            ),
            models.UniqueConstraint(fields=["session", "supersedes"], name="one_successor_per_message"),
            models.UniqueConstraint(fields=["session", "continues"], name="one_continuation_per_message"),
            models.CheckConstraint(
                condition=Q(role=MessageRole.PERSON, author__isnull=False, agent=None)
                | Q(role=MessageRole.AGENT, agent__isnull=False, author=None, client_id=None),
                name="message_has_its_author",
            ),
            models.CheckConstraint(
                condition=Q(sealed_seq=None, seal_number=None, content="", digest="")
                | (Q(sealed_seq__isnull=False, seal_number__isnull=False) & ~Q(content="") & ~Q(digest="")),
                name="message_is_open_or_sealed",
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.public_id}"

    @property
    def is_sealed(self) -> bool:
        return self.sealed_seq is not None

    @property
    def folded(self) -> dict[str, Any]:
        """The sealed content as parts, marks and outcome."""
        content: dict[str, Any] = json.loads(self.content)
        return content
