"""Checkpoints in the admin, each restored from its row."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString

from chat.admin.records import RecordAdmin, row_acts
from sessions_app.models import Checkpoint


@admin.register(Checkpoint)
class CheckpointAdmin(RecordAdmin):
    list_display = (
        "name",
        "acts",
        "kind",
        "conversation_key",
        "session",
        "message_count",
        "taken_by",
        "taken_at",
    )
    list_filter = ("kind", "taken_at", "session__conversation__workspace")
    search_fields = (
        "name",
        "public_id",
        "session__conversation__key",
        "session__conversation__title",
        "session__public_id",
        "taken_by__username",
        "taken_by__display_name",
    )
    list_select_related = ("session__conversation", "taken_by")
    ordering = ("-taken_at", "-pk")

    @admin.display(description="conversation", ordering="session__conversation__key")
    def conversation_key(self, checkpoint: Checkpoint) -> str:
        return checkpoint.session.conversation.key

    @admin.display(description="")
    def acts(self, checkpoint: Checkpoint) -> SafeString:
        return row_acts("checkpoint", checkpoint=checkpoint)
