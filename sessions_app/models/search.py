"""How far the search index has come. It can be built anew at any time, so nothing here is guarded."""

from __future__ import annotations

from django.db import models

from sessions_app.models.conversation import Openness


class IndexedSession(models.Model):
    """The first `seal_number` sealed messages of a session are indexed; the last was sealed at `sealed_seq`.
    `openness` is the one of its conversation that they are indexed under."""

    session_id = models.BigIntegerField(primary_key=True)
    seal_number = models.PositiveIntegerField(default=0)
    sealed_seq = models.PositiveBigIntegerField(default=0)
    openness = models.CharField(max_length=10, default=Openness.OPEN)

    class Meta:
        db_table = "holdfast_indexed_session"

    def __str__(self) -> str:
        return f"session {self.session_id} up to {self.seal_number}"


class IndexedTitle(models.Model):
    """The title and the openness under which a conversation is in the index; None is not yet."""

    conversation_id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=200, null=True)  # noqa: DJ001 - null is "not yet", "" is a title
    openness = models.CharField(max_length=10, default=Openness.OPEN)

    class Meta:
        db_table = "holdfast_indexed_title"

    def __str__(self) -> str:
        return f"conversation {self.conversation_id} as {self.title}"
