"""History in the admin: read-only lists for operators; nobody adds, changes or deletes a record here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from chat.admin.filters import DeletedFilter, OutcomeFilter
from sessions_app.models import Conversation, Message, Turn
from sessions_app.services.access import OPERATE


class RecordAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What was said and done: seen by operators, touched by nobody."""

    list_per_page = 50
    show_full_result_count = False

    class Media:
        css = {"all": ("css/admin.css",)}  # noqa: RUF012 - as Django wants it

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(OPERATE)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(OPERATE)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def row_acts(template: str, **context: Any) -> SafeString:
    """The buttons of a row. They post the list's own form, which carries the CSRF token, to another address."""
    return render_to_string(f"admin/recovery/_{template}_acts.html", context)


@admin.register(Conversation)
class ConversationAdmin(RecordAdmin):
    list_display = ("key", "acts", "title", "workspace", "present", "touched_at", "state")
    list_filter = (DeletedFilter, "workspace", "touched_at", "started_at", "agent")
    search_fields = (
        "key",
        "title",
        "public_id",
        "sessions__public_id",
        "started_by__username",
        "started_by__display_name",
        "workspace__name",
    )
    list_select_related = ("workspace", "active_session")
    date_hierarchy = "touched_at"

    @admin.display(description="active session")
    def present(self, conversation: Conversation) -> str:
        session = conversation.active_session
        return f"{session.number} ({session.message_count:,} messages)"

    @admin.display(description="state")
    def state(self, conversation: Conversation) -> str:
        if conversation.is_deleted:
            return "deleted"
        return "archived" if conversation.is_archived else "in use"

    @admin.display(description="")
    def acts(self, conversation: Conversation) -> SafeString:
        return row_acts("conversation", conversation=conversation)


@admin.register(Message)
class MessageAdmin(RecordAdmin):
    list_display = ("public_id", "acts", "conversation", "session", "role", "author", "agent", "posted_at")
    list_filter = (OutcomeFilter, "role", "posted_at", "conversation__workspace", "agent")
    search_fields = (
        "public_id",
        "conversation__key",
        "conversation__title",
        "session__public_id",
        "author__username",
        "author__display_name",
        "client_id",
    )
    list_select_related = ("conversation", "session", "author", "agent")

    @admin.display(description="")
    def acts(self, message: Message) -> SafeString:
        return row_acts("message", message=message)


@admin.register(Turn)
class TurnAdmin(RecordAdmin):
    list_display = ("public_id", "acts", "state", "session", "agent", "asked_by", "owner", "lease_until")
    list_filter = ("state", "queued_at", "ended_at", "agent", "session__conversation__workspace")
    search_fields = (
        "public_id",
        "session__conversation__key",
        "session__public_id",
        "owner",
        "asked_by__username",
        "asked_by__display_name",
        "reason",
    )
    list_select_related = ("session__conversation", "agent", "asked_by")

    @admin.display(description="")
    def acts(self, turn: Turn) -> SafeString:
        return row_acts("turn", turn=turn)
